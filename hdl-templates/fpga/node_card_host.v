
                .clk(clock),
                .rst(rst),
                .s_axis_pcie_tdata(to_tdata[64*q +: 64]),
                .s_axis_pcie_tkeep(to_tkeep[8*q +: 8]),
                .s_axis_pcie_tlast(to_tlast[q]),
                .s_axis_pcie_tuser(to_tuser[q]),
                .s_axis_pcie_tvalid(to_tvalid[q]),
                .s_axis_pcie_tready(to_tready[q]),
                .m_axis_pcie_tdata(from_tdata[64*q +: 64]),
                .m_axis_pcie_tkeep(from_tkeep[8*q +: 8]),
                .m_axis_pcie_tlast(from_tlast[q]),
                .m_axis_pcie_tuser(from_tuser[q]),
                .m_axis_pcie_tvalid(from_tvalid[q]),
                .m_axis_pcie_tready(from_tready[q]),
                .damaged(damaged[32*q +: 32]),
                .dropped(dropped[32*q +: 32]),
                .waiting(waiting[q])
            );
        end
    endgenerate
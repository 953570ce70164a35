
    wire [64*HOSTS-1:0] to_tdata;
    wire [8*HOSTS-1:0]  to_tkeep;
    wire [HOSTS-1:0]    to_tlast;
    wire [HOSTS-1:0]    to_tuser;
    wire [HOSTS-1:0]    to_tvalid;
    wire [HOSTS-1:0]    to_tready;
    wire [64*HOSTS-1:0] from_tdata;
    wire [8*HOSTS-1:0]  from_tkeep;
    wire [HOSTS-1:0]    from_tlast;
    wire [HOSTS-1:0]    from_tuser;
    wire [HOSTS-1:0]    from_tvalid;
    wire [HOSTS-1:0]    from_tready;
    wire [32*HOSTS-1:0] damaged;
    wire [32*HOSTS-1:0] dropped;
    wire [HOSTS-1:0]    waiting;
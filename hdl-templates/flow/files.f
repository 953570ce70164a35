<$ banner $>
// All that the top module is made of. With DIR for this folder, from anywhere:
//   verilator --lint-only -F DIR/files.f
//   iverilog -g2005 -y DIR/rtl DIR/rtl/<$ top $>.v
//   yosys -p "read_verilog DIR/rtl/*.v; hierarchy -check -top <$ top $>"
// The paths below are relative to this folder, so tools that take them from their working folder
// (verilator -f, iverilog -c) are started here.
// A module whose name does not begin with that of the network is the same in every network. Two
// networks in one design share it: give both folders with -y, and the tops by name. All others
// carry the network's name, so two variants of one network need names of their own:
//   mkns generate SPEC --set name=NAME
<%- for file in files %>
<$ file $>
<%- endfor %>

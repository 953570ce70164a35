# The verbs. Each is a line or two: the work is in `mkns` or in tools/.
MKNS := cargo run --release --locked --quiet --
DEMO := MKNS(2,4,2,1)
# Placements of a block that `make figures` measures.
SEEDS := 3
SMALL := tests/regressions/specs/small.toml
# Between them these have every optional part of the blocks.
REACHING := $(SMALL) $(foreach name,four_channels wide_single_channel five_tables five_ports \
	nine_ports planes,tests/regressions/specs/$(name).toml)

.DEFAULT_GOAL := help
.PHONY: help setup setup-demo demo test test-long bless lint regress fuzz coverage mutate fpga formal cocotb bench figures live fast \
	cluster mpi mpi-equal cluster-speed plant plant-rtl links reference book dist clean

help: ## This list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

setup: ## Install what is missing: g++, a local Verilator and Yosys (.tools/)
	@tools/setup.sh

setup-demo:
	@tools/setup.sh demo

# The program is compiled while the tools are installed.
demo: ## MKNS(2,4,2,1): generate, lint, whole network against the golden model
	@command -v g++ >/dev/null || tools/setup.sh demo
	@$(MAKE) --no-print-directory --jobs=2 setup-demo target/release/mkns
	target/release/mkns generate "$(DEMO)"
	target/release/mkns lint "$(DEMO)"
	target/release/mkns cosim "$(DEMO)" --cycles 20000

.PHONY: target/release/mkns
target/release/mkns:
	@cargo build --release --locked --quiet

test: setup ## All that CI demands: format, clippy, tests, both sets of features, smoke regression
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
	cargo clippy --workspace --test tools --locked --quiet -- -D warnings
	cargo clippy --locked --quiet --no-default-features -- -D warnings
	cargo test --workspace --locked --quiet
	cargo test --workspace --locked --quiet --test tools
	cargo run --locked --quiet -- regress tests/regressions/mkns.toml --suite smoke

test-long: setup plant ## Tests that take minutes each
	cargo test --workspace --locked --quiet --test tools -- --ignored
	cargo test --locked --quiet --test plain fault_paper -- --ignored
	cargo test --locked --quiet --test plain in_band_failures -- --ignored
	cargo test --locked --quiet --release --package mkns-simulation --lib adaptive -- --ignored

bless: ## Record the expectations of tests anew; read the difference before committing it
	MKNS_BLESS=1 TRYCMD=overwrite cargo test --locked --quiet --test plain --test cases

lint: setup ## Generated RTL through verilator -Wall, iverilog -Wall and yosys checks
	$(MKNS) lint "$(DEMO)"

bench: setup ## Speeds: generation, simulation, co-simulation
	cargo bench --workspace --locked
	$(MKNS) bench
	$(MKNS) sim "MKNS(2,8x10,2,1)" --load 0.28 --cycles 50000
	$(MKNS) sim "MKNS(2,8x10x10x10,4,1)" --load 0.5 --warmup 200 --cycles 400

cluster: ## Slurm on this machine (installed where missing): 200 simulations as an array while parts are killed
	tools/slurm_here.sh install
	cargo build --release --locked --quiet
	python3 tools/cluster.py target/release/mkns

mpi: ## mkns with `sim --mpi`, where missing with Open MPI and libclang: target/mpi/release/mkns
	MPI=1 tools/slurm_here.sh install
	LIBCLANG_PATH=$$(echo /usr/lib/llvm-*/lib | cut -d ' ' -f 1) cargo build --release --locked --quiet \
		--no-default-features --features mpi --target-dir target/mpi

mpi-equal: mpi ## Every kind of network on 1, 2 and 3 ranks of MPI, with failed parts, against threads and one process, bit for bit
	python3 tools/mpi_equal.py target/mpi/release/mkns

cluster-speed: mpi ## Speed, memory and bytes of one network on 1 and 2 ranks of MPI, side by side
	python3 tools/mpi_speed.py target/mpi/release/mkns

live: setup target/release/mkns ## Linux over MKNS(2,4,2,1): 32 namespaces ping, iperf3, HTTP, Open MPI, a repair; fast model and RTL; needs root
	python3 tools/live.py target/release/mkns --json target/live.json

fast: setup ## mkns compiled along a profile of its simulations (15 minutes): target/fast/release/mkns
	@tools/fast.sh

reference: fast ## The same networks in CAMINOS 0.6.3 (crates.io), speed, hops, throughput side by side (long)
	cargo install caminos --version =0.6.3 --locked --quiet --root .tools/caminos
	python3 tools/caminos.py target/fast/release/mkns .tools/caminos/bin/caminos

regress: setup ## Smoke suite of co-simulations in processes of their own; reports in target/regress; fast model and reference
	$(MKNS) regress tests/regressions/mkns.toml --junit target/regress/junit.xml \
		--json target/regress/rows.json --html target/regress
	cargo test --locked --quiet --package mkns-simulation reference -- --ignored

figures: setup target/release/mkns ## docs/figures.md: area, clock, throughput of the blocks (two hours; SEEDS=0: no new placements)
	python3 tools/figures.py target/release/mkns --seeds $(SEEDS)

fuzz: target/release/mkns ## 20,000 mutated input files through every verb that reads files, an hour at most; target/fuzz
	python3 tools/fuzz.py target/release/mkns --count 20000 --minutes 60 --keep target/fuzz

coverage: setup ## What a block regression reaches of switch and adapter blocks (long); target/coverage.json
	$(MKNS) coverage $(REACHING) --block switch,adapter --cycles 15000 --seeds 3 --format json \
		> target/coverage.json

plant: ## Faults planted into the fast model, one for each of its shortcuts: the tests of its links find all
	python3 tools/planted_faults.py

# What was tried before with the same program is not tried again.
plant-rtl: setup target/release/mkns ## 200 faults planted into the RTL of a network: which check finds each (hours); target/plant-rtl
	python3 tools/planted_rtl.py target/release/mkns

# A billion take half an hour of two processors.
links: setup ## 10^9 flits through serial links at random clocks under errors, then their goodput (long); target/goodput.svg
	$(MKNS) cosim "MKNS(2,2,1,1)" --set link=serial --block link --flits 1000000000
	$(MKNS) plot --kind goodput -o target/goodput.svg

mutate: setup ## Mutation scores of all kinds of blocks (long); rows in target/mutate
	mkdir -p target/mutate
	$(MKNS) mutate $(SMALL) --block switch --format json > target/mutate/switch.json
	$(MKNS) mutate $(SMALL) --block adapter --format json > target/mutate/adapter.json
	$(MKNS) mutate "multi_ring(3,1,1)" --block rok --format json > target/mutate/rok.json
	$(MKNS) mutate tests/regressions/specs/small_ring.toml --block terminal --format json > target/mutate/terminal.json
	$(MKNS) mutate $(SMALL) --block link --format json > target/mutate/link.json
	$(MKNS) mutate $(SMALL) --block management --format json > target/mutate/management.json

fpga: setup ## Bitstreams by the open flow: self-tests, one by FuseSoC too, and nodes (docs/reference/fpga.md)
	$(MKNS) fpga --board ulx3s
	$(MKNS) fpga --board ecp5_evn
	$(MKNS) fpga --board tang_primer_20k
	$(MKNS) fpga examples/two_boards.toml --block ab_0_0_0_0 --board ulx3s
	$(MKNS) fpga examples/two_boards.toml --block ab_1_0_0_0 --board ulx3s
	$(MKNS) fpga examples/two_boards.toml --block ab_0_0_0_0 --board ecp5_evn -o rtl-out/node_serdes
	cargo test --locked --test tools fusesoc:: -- --ignored

formal: setup ## Proofs of queues, arbiters, credits, crossbar, streams; and that each can fail
	.tools/venv/bin/python tools/formal.py

cocotb: setup ## Smoke test with third-party AXI bus models (cocotbext-axi) in Icarus Verilog
	cargo build --release --locked --quiet
	.tools/venv/bin/python tools/cocotb_smoke.py target/release/mkns

book: ## docs/ as an mdBook: target/book/html/index.html
	@command -v mdbook >/dev/null || [ -x .tools/mdbook/bin/mdbook ] || \
		cargo install mdbook --version =0.5.4 --locked --quiet --root .tools/mdbook
	PATH="$$PATH:$$PWD/.tools/mdbook/bin" python3 tools/book.py mdbook

dist: ## target/dist/mkns-….tar.gz: program, completions, manual pages, examples, licences
	@tools/dist.sh

clean: ## Remove build results (keeps .tools; models stay in ~/.cache/mkns)
	cargo clean
	find rtl-out -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +

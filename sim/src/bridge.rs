//! The language border (cxx). One call per clock cycle at most, plain words in and out.
#![expect(unsafe_code, reason = "C++ is on the other side")]

#[cxx::bridge(namespace = "mkns_sim")]
pub(crate) mod ffi {
    /// What a new instance is given.
    struct StartRequest {
        seed: i32,
        arguments: Vec<String>,
    }

    /// Empty message: the instance runs.
    struct StopReport {
        cycle: u64,
        message: String,
    }

    unsafe extern "C++" {
        include!("mkns-sim/cxx/bridge.h");

        type Library;
        fn open_library(path: &str) -> Result<UniquePtr<Library>>;
        fn make_bank(self: &Library, starts: &[StartRequest]) -> Result<UniquePtr<Bank>>;

        type Bank;
        /// # Safety
        /// `inputs` and `outputs` point to as many words as all instances of the bank take.
        unsafe fn step(self: Pin<&mut Bank>, inputs: *const u64, outputs: *mut u64) -> u32;
        /// # Safety
        /// As for `step`.
        unsafe fn advance(self: Pin<&mut Bank>, inputs: *const u64, outputs: *mut u64) -> u32;
        /// # Safety
        /// As for `step`.
        unsafe fn outputs(self: Pin<&mut Bank>, outputs: *mut u64) -> u32;

        fn stop_report(bank: &Bank, instance: usize) -> StopReport;
        fn open_trace(
            bank: Pin<&mut Bank>,
            instance: usize,
            path: &str,
            timescale: &str,
        ) -> Result<()>;
        fn trace_enable(self: Pin<&mut Bank>, enable: bool);
        fn close_trace(self: Pin<&mut Bank>);
        fn write_coverage(bank: Pin<&mut Bank>, instance: usize, path: &str) -> Result<()>;
    }
}

// SAFETY: a bank owns all its state (one Verilator context per instance) and keeps no pointer to
// the thread that made it; `&Bank` only reads stop reports. A library holds one function pointer.
unsafe impl Send for ffi::Bank {}
// SAFETY: as above.
unsafe impl Sync for ffi::Bank {}
// SAFETY: as above.
unsafe impl Send for ffi::Library {}
// SAFETY: as above.
unsafe impl Sync for ffi::Library {}

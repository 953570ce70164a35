//! The same for C: what `include/mkns_host.h` declares.
#![expect(
    unsafe_code,
    reason = "C hands over pointers; what they have to point to stands in mkns_host.h"
)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::slice;
use std::time::Duration;

use crate::{Port, PortCounters, PortError};

/// The call did what it was asked to.
const DONE: c_int = 0;
/// Nothing came in time.
const NOTHING: c_int = 1;
/// It failed; [`mkns_error`] says why.
const FAILED: c_int = -1;

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// A packet without its payload, as C sees it.
#[repr(C)]
#[derive(Debug)]
pub struct MknsPacket {
    source: u32,
    destination: u32,
    layer: u32,
    length: u32,
}

fn failed(error: &dyn std::fmt::Display) -> c_int {
    let text = CString::new(error.to_string()).unwrap_or_default();
    ERROR.set(text);
    FAILED
}

/// Why the last call of this thread failed.
#[unsafe(no_mangle)]
pub extern "C" fn mkns_error() -> *const c_char {
    ERROR.with_borrow(|text| text.as_ptr())
}

/// Opens a port; null when there is none.
///
/// # Safety
/// `url` is a text that ends with 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mkns_open(url: *const c_char) -> *mut Port {
    // SAFETY: the caller's promise.
    let url = unsafe { CStr::from_ptr(url) };
    match Port::open(&url.to_string_lossy()) {
        Ok(port) => Box::into_raw(Box::new(port)),
        Err(error) => {
            failed(&error);
            ptr::null_mut()
        }
    }
}

/// Closes a port.
///
/// # Safety
/// `port` comes from [`mkns_open`], is in no other call, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mkns_close(port: *mut Port) {
    if !port.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(port) });
    }
}

/// Sends a packet.
///
/// # Safety
/// `port` comes from [`mkns_open`]; `payload` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mkns_send(
    port: *const Port,
    destination: u32,
    layer: u32,
    payload: *const c_void,
    length: usize,
) -> c_int {
    let payload = match length {
        0 => &[],
        // SAFETY: the caller's promise.
        _ => unsafe { slice::from_raw_parts(payload.cast::<u8>(), length) },
    };
    // SAFETY: the caller's promise.
    match unsafe { &*port }.send(destination, layer, payload) {
        Ok(()) => DONE,
        Err(error) => failed(&error),
    }
}

/// Receives a packet, within this many milliseconds, or without a limit when that is negative.
///
/// # Safety
/// `port` comes from [`mkns_open`]; `packet` and `size` bytes at `buffer` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mkns_receive(
    port: *const Port,
    milliseconds: c_int,
    packet: *mut MknsPacket,
    buffer: *mut c_void,
    size: usize,
) -> c_int {
    let patience = u64::try_from(milliseconds).ok().map(Duration::from_millis);
    // SAFETY: the caller's promise.
    let received = match unsafe { &*port }.receive(patience) {
        Ok(Some(received)) => received,
        Ok(None) => return NOTHING,
        Err(error) => return failed(&error),
    };
    let length = received.payload.len();
    if length > size {
        return failed(&PortError::OutOfRange {
            field: "the length of the packet that arrived",
            value: length as u64,
            most: size as u64,
        });
    }
    // SAFETY: the caller's promise, and the payload fits.
    unsafe {
        ptr::copy_nonoverlapping(received.payload.as_ptr(), buffer.cast::<u8>(), length);
        *packet = MknsPacket {
            source: received.source,
            destination: received.destination,
            layer: received.layer,
            length: length as u32,
        };
    }
    DONE
}

/// Tells what the network says of itself: number and address of this host, hosts, bytes of the longest payload, layers.
/// Returns 1 for a card, which says nothing.
///
/// # Safety
/// `port` comes from [`mkns_open`]; five numbers at `numbers` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mkns_information(port: *const Port, numbers: *mut u32) -> c_int {
    // SAFETY: the caller's promise.
    let Some(told) = unsafe { &*port }.information() else {
        return NOTHING;
    };
    let told = [
        told.host,
        told.address,
        told.hosts,
        told.longest_payload,
        told.layers,
    ];
    // SAFETY: the caller's promise.
    unsafe { ptr::copy_nonoverlapping(told.as_ptr(), numbers, told.len()) };
    DONE
}

/// Reads what the card or the running network counts of this port.
///
/// # Safety
/// `port` comes from [`mkns_open`]; `counters` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mkns_read_counters(
    port: *const Port,
    counters: *mut PortCounters,
) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { &*port }.counters() {
        Ok(read) => {
            // SAFETY: the caller's promise.
            unsafe { *counters = read };
            DONE
        }
        Err(error) => failed(&error),
    }
}

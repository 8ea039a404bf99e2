//! The C ABI: a buffer for the request, a call, and a buffer with the response.

// Memory is shared with the page by address: no safe form of that exists.
#![allow(unsafe_code)]

use std::cell::RefCell;

#[cfg(all(feature = "search", target_family = "wasm"))]
use engine::{Responder, responder};
#[cfg(not(all(feature = "search", target_family = "wasm")))]
use rules::{Responder, responder};

thread_local! {
    static RESPONDER: RefCell<Responder> = RefCell::new(responder());
}

/// The module of pages.
#[cfg(not(all(feature = "search", target_family = "wasm")))]
mod rules {
    pub(super) use crate::Session as Responder;

    pub(super) fn responder() -> Responder {
        Responder::default()
    }
}

/// The module of the worker. What the verbs of the rules alone need is left out by the linker.
#[cfg(all(feature = "search", target_family = "wasm"))]
mod engine {
    use hnefi_search::Clock;

    pub(super) use crate::engine::Engine as Responder;
    use crate::engine::Outside;

    #[link(wasm_import_module = "hnefi")]
    unsafe extern "C" {
        /// Returns the milliseconds since any fixed moment.
        fn now() -> f64;
        /// Takes the address and length of a report, which is valid during the call.
        fn report(start: *const u8, length: usize);
    }

    pub(super) fn responder() -> Responder {
        // SAFETY: the function has no arguments.
        let clock = Clock(|| unsafe { now() });
        // SAFETY: the text lives longer than the call.
        let report = |text: &str| unsafe { report(text.as_ptr(), text.len()) };
        Responder::new(Outside { clock, report })
    }
}

/// Allocates a buffer.
#[unsafe(no_mangle)]
pub extern "C" fn hnefi_alloc(length: usize) -> *mut u8 {
    let buffer = vec![0_u8; length].into_boxed_slice();
    Box::into_raw(buffer).cast()
}

/// Frees a buffer.
///
/// # Safety
/// The buffer was allocated with this length by `hnefi_alloc`, or is a response of this length. It is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hnefi_free(start: *mut u8, length: usize) {
    // SAFETY: promised by the caller.
    drop(unsafe { into_buffer(start, length) });
}

/// Returns the response to the request in a buffer, which it frees: the address in the upper half, the length in the
/// lower.
///
/// # Safety
/// As `hnefi_free`, which has to free the response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hnefi_call(start: *mut u8, length: usize) -> u64 {
    // SAFETY: promised by the caller.
    let request = unsafe { into_buffer(start, length) };
    let text = String::from_utf8_lossy(&request);
    let response =
        RESPONDER.with_borrow_mut(|responder| responder.respond(&text)).into_bytes().into_boxed_slice();
    let length = response.len() as u64;
    let address = Box::into_raw(response).cast::<u8>() as usize as u64;
    (address << 32) | length
}

/// # Safety
/// As `hnefi_free`.
unsafe fn into_buffer(start: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: every buffer was made from a boxed slice of this length.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, length)) }
}

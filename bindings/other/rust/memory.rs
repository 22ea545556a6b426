//! Prints the free memory: one reading, then updates that this program waits for itself, and what
//! an error says.
//!
//!     rustc --edition 2021 -L FOLDER memory.rs && ./memory [URI]
//!
//! It declares by hand the few functions and structs that it uses.
use std::ffi::{c_void, CStr, CString};
use std::os::raw::{c_char, c_int, c_short, c_ulong};
use std::ptr::{null, null_mut};

#[repr(C)]
struct Value {
    kind: u32,
    count: u32,
    payload: [u64; 4],
}

#[repr(C)]
struct Sample {
    time_ns: i64,
    boot_ns: i64,
    sequence: u64,
    source: u32,
    property: u32,
    status: u32,
    flags: u32,
    value: Value,
}

#[repr(C)]
struct LastError {
    code: i32,
    sys_errno: i32,
    message: *const c_char,
}

#[repr(C)]
struct ContextOptions {
    struct_size: usize,
    mode: u32,
    flags: u32,
    allow: *const c_char,
}

#[repr(C)]
struct PollDescriptor {
    fd: c_int,
    events: c_short,
    revents: c_short,
}

// Handles of every type: values that are no addresses.
type Handle = *mut c_void;
type Update = extern "C" fn(Handle, *const Sample, usize, *mut c_void);
type Destroy = Option<extern "C" fn(*mut c_void)>;

#[link(name = "gatheredkit")]
extern "C" {
    fn gkit_last_error() -> *const LastError;
    fn gkit_status_name(status: i32) -> *const c_char;
    fn gkit_sample_status_name(status: u32) -> *const c_char;
    fn gkit_live_count(kind: *const c_char) -> i64;
    fn gkit_release(handle: Handle);
    fn gkit_value_format(
        value: *const Value,
        unit: *const c_char,
        buffer: *mut c_char,
        capacity: usize,
    ) -> usize;
    fn gkit_context_open(
        uri: *const c_char,
        options: *const ContextOptions,
        out: *mut Handle,
    ) -> i32;
    fn gkit_context_close(context: Handle) -> i32;
    fn gkit_context_fd(context: Handle) -> c_int;
    fn gkit_context_dispatch(context: Handle, timeout_ns: i64) -> i32;
    fn gkit_source_open(context: Handle, id: *const c_char, out: *mut Handle) -> i32;
    fn gkit_source_find_property(source: Handle, key: *const c_char) -> i32;
    fn gkit_source_read_values(
        source: Handle,
        timeout_ns: i64,
        out: *mut Sample,
        capacity: usize,
    ) -> i64;
    fn gkit_source_listen(
        source: Handle,
        function: Update,
        data: *mut c_void,
        destroy: Destroy,
        out: *mut Handle,
    ) -> i32;
    fn gkit_source_start(source: Handle, interval_ns: i64) -> i32;
    fn gkit_source_stop(source: Handle) -> i32;
    fn gkit_connection_disconnect(connection: Handle);
}

extern "C" {
    fn poll(descriptors: *mut PollDescriptor, count: c_ulong, timeout: c_int) -> c_int;
}

const MODE_HOST: u32 = 1;
const SAMPLE_OK: u32 = 0;
const SECOND: i64 = 1_000_000_000;
const WANTED: usize = 2;

fn owned(text: *const c_char) -> String {
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

/// Passes a status or a count on; a failure becomes an error with its name and its text.
fn check(status: impl Into<i64>) -> Result<i64, String> {
    let status = status.into();
    if status >= 0 {
        return Ok(status);
    }
    let name = owned(unsafe { gkit_status_name(status as i32) });
    Err(format!(
        "{name}: {}",
        owned(unsafe { (*gkit_last_error()).message })
    ))
}

fn text(sample: &Sample) -> String {
    if sample.status != SAMPLE_OK {
        return owned(unsafe { gkit_sample_status_name(sample.status) });
    }
    let unit = c_text("By");
    let mut buffer = [0 as c_char; 64];
    unsafe { gkit_value_format(&sample.value, unit.as_ptr(), buffer.as_mut_ptr(), 64) };
    owned(buffer.as_ptr())
}

fn c_text(text: &str) -> CString {
    CString::new(text).expect("a text without NUL")
}

/// What the listener knows.
struct Listener {
    property: u32,
    seen: usize,
}

extern "C" fn on_update(_: Handle, samples: *const Sample, count: usize, data: *mut c_void) {
    let listener = unsafe { &mut *data.cast::<Listener>() };
    for sample in unsafe { std::slice::from_raw_parts(samples, count) } {
        if sample.property == listener.property && listener.seen < WANTED {
            listener.seen += 1;
            println!("update: {}", text(sample));
        }
    }
}

fn open_source(context: Handle, id: &str) -> Result<Handle, String> {
    let mut source = null_mut();
    check(unsafe { gkit_source_open(context, c_text(id).as_ptr(), &mut source) })?;
    Ok(source)
}

fn read_once(source: Handle, property: u32) -> Result<(), String> {
    let room = property as usize + 1;
    let mut samples: Vec<Sample> = Vec::with_capacity(room);
    let start = samples.as_mut_ptr();
    let count = check(unsafe { gkit_source_read_values(source, 5 * SECOND, start, room) })?;
    unsafe { samples.set_len(room.min(count as usize)) };
    println!("read: {}", text(&samples[property as usize]));
    Ok(())
}

fn listen(context: Handle, source: Handle, property: u32) -> Result<(), String> {
    let listener = Box::into_raw(Box::new(Listener { property, seen: 0 }));
    let mut connection = null_mut();
    let data = listener.cast::<c_void>();
    check(unsafe { gkit_source_listen(source, on_update, data, None, &mut connection) })?;
    check(unsafe { gkit_source_start(source, SECOND / 20) })?;
    let fd = check(unsafe { gkit_context_fd(context) })? as c_int;
    let mut readable = PollDescriptor {
        fd,
        events: 1,
        revents: 0,
    };
    while unsafe { (*listener).seen < WANTED && poll(&mut readable, 1, 5000) > 0 } {
        check(unsafe { gkit_context_dispatch(context, 0) })?;
    }
    check(unsafe { gkit_source_stop(source) })?;
    unsafe { gkit_connection_disconnect(connection) };
    unsafe { gkit_release(connection) };
    // No call of the listener begins any more.
    drop(unsafe { Box::from_raw(listener) });
    Ok(())
}

fn main() -> Result<(), String> {
    let uri = c_text(
        &std::env::args()
            .nth(1)
            .unwrap_or_else(|| "sim:laptop".into()),
    );
    let struct_size = std::mem::size_of::<ContextOptions>();
    let options = ContextOptions {
        struct_size,
        mode: MODE_HOST,
        flags: 0,
        allow: null(),
    };
    let mut context = null_mut();
    check(unsafe { gkit_context_open(uri.as_ptr(), &options, &mut context) })?;
    let source = open_source(context, "memory")?;
    let key = c_text("available");
    let property = check(unsafe { gkit_source_find_property(source, key.as_ptr()) })? as u32;
    read_once(source, property)?;
    listen(context, source, property)?;
    if let Err(message) = open_source(context, "memroy") {
        println!("error: {message}");
    }
    unsafe { gkit_release(source) };
    check(unsafe { gkit_context_close(context) })?;
    unsafe { gkit_release(context) };
    println!("objects left: {}", unsafe { gkit_live_count(null()) });
    Ok(())
}

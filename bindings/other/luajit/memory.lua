-- Prints the free memory: one reading, then updates that this program waits for itself, and what an
-- error says. LuaJIT has one thread, so the context is in host mode.
--
--   luajit memory.lua [URI]
--
-- GATHEREDKIT_LIBRARY and GATHEREDKIT_INCLUDE name the library and the folder of the declarations
-- where they are not installed for the whole system.
local ffi = require("ffi")

-- The declarations, without the lines of the preprocessor.
local folder = os.getenv("GATHEREDKIT_INCLUDE") or "/usr/include"
local declarations = assert(io.open(folder .. "/gatheredkit-ffi.h")):read("*a")
ffi.cdef((declarations:gsub("\n#[^\n]*", "")))
ffi.cdef([[
  struct pollfd { int fd; short events, revents; };
  int poll(struct pollfd *fds, unsigned long count, int timeout);
]])
local gkit = ffi.load(os.getenv("GATHEREDKIT_LIBRARY") or "libgatheredkit.so.0")
local INTERVAL_NS, SECONDS = 50000000, 1000000000

-- Passes a status or a count on; a failure becomes an error with its name and its text.
local function check(status)
  status = tonumber(status)
  if status < 0 then
    local name = ffi.string(gkit.gkit_status_name(status))
    error(name .. ": " .. ffi.string(gkit.gkit_last_error().message), 0)
  end
  return status
end

local function text_of(sample)
  if sample.status ~= gkit.GKIT_SAMPLE_OK then
    return ffi.string(gkit.gkit_sample_status_name(sample.status))
  end
  local buffer = ffi.new("char[64]")
  gkit.gkit_value_format(sample.value, "By", buffer, 64)
  return ffi.string(buffer)
end

local function open_context(uri)
  local options = ffi.new("gkit_context_options")
  options.struct_size = ffi.sizeof(options)
  options.mode = gkit.GKIT_MODE_HOST
  local out = ffi.new("gkit_context *[1]")
  check(gkit.gkit_context_open(uri, options, out))
  return out[0]
end

local function open_source(context, id)
  local out = ffi.new("gkit_source *[1]")
  check(gkit.gkit_source_open(context, id, out))
  return out[0]
end

local function read_once(source, available)
  local samples = ffi.new("gkit_sample[?]", available + 1)
  check(gkit.gkit_source_read_values(source, 5 * SECONDS, samples, available + 1))
  print("read: " .. text_of(samples[available]))
end

-- Callbacks run in gkit_context_dispatch() only. A compiled trace must not be entered from them.
local function dispatch(context)
  return check(gkit.gkit_context_dispatch(context, 0))
end
jit.off(dispatch)

local function listen(context, source, available, wanted)
  local seen = 0
  local on_update = ffi.cast("gkit_update_fn", function(_, samples, count)
    for i = 0, tonumber(count) - 1 do
      if samples[i].property == available and seen < wanted then
        seen = seen + 1
        print("update: " .. text_of(samples[i]))
      end
    end
  end)
  local out = ffi.new("gkit_connection *[1]")
  check(gkit.gkit_source_listen(source, on_update, nil, nil, out))
  check(gkit.gkit_source_start(source, INTERVAL_NS))
  local readable = ffi.new("struct pollfd", check(gkit.gkit_context_fd(context)), 1, 0)
  while seen < wanted and ffi.C.poll(readable, 1, 5000) > 0 do
    dispatch(context)
  end
  check(gkit.gkit_source_stop(source))
  gkit.gkit_connection_disconnect(out[0])
  gkit.gkit_release(out[0])
  on_update:free()
end

local context = open_context(arg[1] or "sim:laptop")
local source = open_source(context, "memory")
local available = check(gkit.gkit_source_find_property(source, "available"))
read_once(source, available)
listen(context, source, available, 2)
local _, message = pcall(open_source, context, "memroy")
print("error: " .. message)
gkit.gkit_release(source)
check(gkit.gkit_context_close(context))
gkit.gkit_release(context)
print("objects left: " .. tonumber(gkit.gkit_live_count(nil)))

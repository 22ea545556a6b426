# Prints the free memory: one reading, then updates that this program waits for itself, and what an
# error says. Ruby's interpreter has one thread at work, so the context is in host mode.
#
#   ruby memory.rb [URI]
#
# GATHEREDKIT_LIBRARY and GATHEREDKIT_API name the library and its description where they are not
# installed for the whole system.
require "fiddle"
require "io/wait"
require "json"

# The library, called by what gatheredkit-api.json says of its functions.
module GKit
  API = JSON.parse(File.read(ENV.fetch("GATHEREDKIT_API",
                                       "/usr/share/gatheredkit/gatheredkit-api.json")))
  LIBRARY = Fiddle.dlopen(ENV.fetch("GATHEREDKIT_LIBRARY", "libgatheredkit.so.0"))
  TYPES = { "void" => Fiddle::TYPE_VOID, "bool" => Fiddle::TYPE_CHAR, "int" => Fiddle::TYPE_INT,
            "int32_t" => Fiddle::TYPE_INT, "uint32_t" => -Fiddle::TYPE_INT,
            "gkit_status" => Fiddle::TYPE_INT, "int64_t" => Fiddle::TYPE_LONG_LONG,
            "uint64_t" => -Fiddle::TYPE_LONG_LONG, "size_t" => Fiddle::TYPE_SIZE_T,
            "double" => Fiddle::TYPE_DOUBLE }.freeze
  NUMBERS = API["enums"].flat_map { |list| list["values"] }
                        .to_h { |one| [one["name"], one["value"]] }.freeze
  # The machines differ in the names they have for the same layout only.
  LAYOUTS = API["structs"].to_h { |one| [one["name"], one["layout"].values.first] }.freeze

  def self.type(item)
    item["pointers"] ? Fiddle::TYPE_VOIDP : TYPES.fetch(item["type"], Fiddle::TYPE_VOIDP)
  end

  # As C says it: GKit.source_start(source, 0) is gkit_source_start(source, 0).
  API["functions"].each do |described|
    types = described["parameters"].map { |parameter| type(parameter) }
    function = Fiddle::Function.new(LIBRARY[described["name"]], types, type(described["result"]))
    define_singleton_method(described["name"].delete_prefix("gkit_")) { |*all| function.call(*all) }
  end

  # Passes a status or a count on; a failure becomes an exception with its name and its text.
  def self.check(status)
    return status unless status.negative?

    message = last_error[LAYOUTS["gkit_error"]["offsets"]["message"], Fiddle::SIZEOF_VOIDP]
    text = Fiddle::Pointer.new(message.unpack1("J")).to_s.force_encoding("UTF-8")
    raise "#{status_name(status)}: #{text}"
  end

  # Calls a function that hands a handle out by its last parameter.
  def self.handle(name, *all)
    place = Fiddle::Pointer.malloc(Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE)
    check(send(name, *all, place))
    place.ptr
  end
end

# One value of one property, in memory of the library or of this program.
class Sample
  LAYOUT = GKit::LAYOUTS["gkit_sample"]
  SIZE = LAYOUT["size"]

  def initialize(samples, index)
    @place = Fiddle::Pointer.new(samples.to_i + index * SIZE)
  end

  def number(field)
    @place[LAYOUT["offsets"][field], 4].unpack1("L")
  end

  def to_s
    status = number("status")
    return GKit.sample_status_name(status).to_s unless status == GKit::NUMBERS["GKIT_SAMPLE_OK"]

    text = Fiddle::Pointer.malloc(64, Fiddle::RUBY_FREE)
    GKit.value_format(@place + LAYOUT["offsets"]["value"], "By", text, 64)
    text.to_s
  end
end

def open_context(uri)
  layout = GKit::LAYOUTS["gkit_context_options"]
  options = "\0" * layout["size"]
  options[0, 8] = [layout["size"]].pack("J")
  options[layout["offsets"]["mode"], 4] = [GKit::NUMBERS["GKIT_MODE_HOST"]].pack("L")
  GKit.handle(:context_open, uri, options)
end

def read_once(source, available)
  samples = Fiddle::Pointer.malloc((available + 1) * Sample::SIZE, Fiddle::RUBY_FREE)
  GKit.check(GKit.source_read_values(source, 5_000_000_000, samples, available + 1))
  puts "read: #{Sample.new(samples, available)}"
end

def listen(context, source, available, wanted)
  seen = 0
  pointer = Fiddle::TYPE_VOIDP
  types = [pointer, pointer, Fiddle::TYPE_SIZE_T, pointer]
  # Kept by this variable for as long as the library may call it.
  on_update = Fiddle::Closure::BlockCaller.new(Fiddle::TYPE_VOID, types) do |_, samples, count, _|
    count.times.map { |index| Sample.new(samples, index) }.each do |sample|
      next if sample.number("property") != available || seen == wanted

      seen += 1
      puts "update: #{sample}"
    end
  end
  connection = GKit.handle(:source_listen, source, on_update, nil, nil)
  GKit.check(GKit.source_start(source, 50_000_000))
  descriptor = IO.for_fd(GKit.check(GKit.context_fd(context)), autoclose: false)
  GKit.check(GKit.context_dispatch(context, 0)) while seen < wanted && descriptor.wait_readable(5)
  GKit.check(GKit.source_stop(source))
  GKit.connection_disconnect(connection)
  GKit.release(connection)
end

context = open_context(ARGV.fetch(0, "sim:laptop"))
source = GKit.handle(:source_open, context, "memory")
available = GKit.check(GKit.source_find_property(source, "available"))
read_once(source, available)
listen(context, source, available, 2)
begin
  GKit.handle(:source_open, context, "memroy")
rescue RuntimeError => error
  puts "error: #{error.message}"
end
GKit.release(source)
GKit.check(GKit.context_close(context))
GKit.release(context)
puts "objects left: #{GKit.live_count(nil)}"

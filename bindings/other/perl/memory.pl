# Prints the free memory: one reading, then updates that this program waits for itself, and what an
# error says. Perl has one thread, so the context is in host mode.
#
#   perl memory.pl [URI]
#
# GATHEREDKIT_LIBRARY and GATHEREDKIT_API name the library and its description where they are not
# installed for the whole system.
use strict;
use warnings;
use FFI::Platypus 1.00;
use FFI::Platypus::Buffer qw(buffer_to_scalar scalar_to_buffer);
use JSON::PP qw(decode_json);

my $description = $ENV{GATHEREDKIT_API} // '/usr/share/gatheredkit/gatheredkit-api.json';
open my $file, '<', $description or die "$description: $!\n";
my $api = decode_json(do { local $/; <$file> });
close $file;

my %number = map { $_->{name} => $_->{value} } map { @{ $_->{values} } } @{ $api->{enums} };
# The machines differ in the names they have for the same layout only.
my %layout = map { $_->{name} => (values %{ $_->{layout} })[0] } @{ $api->{structs} };
my $sample = $layout{gkit_sample};

# Handles and memory are addresses; texts that go in are strings.
my $ffi = FFI::Platypus->new(api => 1, lib => $ENV{GATHEREDKIT_LIBRARY} // 'libgatheredkit.so.0');
my %type = (
  void => 'void', bool => 'bool', int => 'int', int32_t => 'sint32', uint32_t => 'uint32',
  gkit_status => 'sint32', int64_t => 'sint64', uint64_t => 'uint64', size_t => 'size_t',
  double => 'double',
);

sub type_of {
  my ($item) = @_;
  return $type{ $item->{type} } // 'opaque' unless $item->{pointers};
  return 'string' if $item->{type} eq 'char' && $item->{const} && $item->{pointers} == 1;
  return 'opaque';
}

for my $function (@{ $api->{functions} }) {
  my @types = map { type_of($_) } @{ $function->{parameters} };
  $ffi->attach($function->{name} => \@types => type_of($function->{result}));
}

# Passes a status or a count on; a failure becomes an exception with its name and its text.
sub check {
  my ($status) = @_;
  return $status if $status >= 0;
  my $error = buffer_to_scalar(gkit_last_error(), $layout{gkit_error}{size});
  my $message = unpack "x$layout{gkit_error}{offsets}{message} p", $error;
  die gkit_status_name($status) . ": $message\n";
}

# Calls a function that hands a handle out by its last parameter.
sub handle {
  my ($function, @all) = @_;
  my $place = pack 'Q', 0;
  my ($address) = scalar_to_buffer($place);
  check($function->(@all, $address));
  return unpack 'Q', $place;
}

sub open_context {
  my ($uri) = @_;
  my $options = "\0" x $layout{gkit_context_options}{size};
  my $mode = $layout{gkit_context_options}{offsets}{mode};
  substr $options, 0, 8, pack('Q', length $options);
  substr $options, $mode, 4, pack('L', $number{GKIT_MODE_HOST});
  my ($address) = scalar_to_buffer($options);
  return handle(\&gkit_context_open, $uri, $address);
}

# A number of one of the samples at an address.
sub field {
  my ($samples, $index, $name) = @_;
  my $bytes = buffer_to_scalar($samples + $index * $sample->{size}, $sample->{size});
  return unpack "x$sample->{offsets}{$name} L", $bytes;
}

sub text_of {
  my ($samples, $index) = @_;
  my $status = field($samples, $index, 'status');
  return gkit_sample_status_name($status) if $status != $number{GKIT_SAMPLE_OK};
  my $text = "\0" x 64;
  my ($address, $capacity) = scalar_to_buffer($text);
  my $value = $samples + $index * $sample->{size} + $sample->{offsets}{value};
  gkit_value_format($value, 'By', $address, $capacity);
  return unpack 'Z*', $text;
}

sub read_once {
  my ($source, $available) = @_;
  my $room = "\0" x (($available + 1) * $sample->{size});
  my ($samples) = scalar_to_buffer($room);
  check(gkit_source_read_values($source, 5_000_000_000, $samples, $available + 1));
  print 'read: ', text_of($samples, $available), "\n";
}

sub listen_to {
  my ($context, $source, $available, $wanted) = @_;
  my $seen = 0;
  # Kept by this variable for as long as the library may call it.
  my $on_update = $ffi->closure(sub {
    my ($from, $samples, $count) = @_;
    for my $index (0 .. $count - 1) {
      next if field($samples, $index, 'property') != $available || $seen == $wanted;
      $seen++;
      print 'update: ', text_of($samples, $index), "\n";
    }
  });
  my $address = $ffi->cast('(opaque, opaque, size_t, opaque)->void' => 'opaque', $on_update);
  my $connection = handle(\&gkit_source_listen, $source, $address, undef, undef);
  check(gkit_source_start($source, 50_000_000));
  my $readable = '';
  vec($readable, check(gkit_context_fd($context)), 1) = 1;
  while ($seen < $wanted && select(my $ready = $readable, undef, undef, 5) > 0) {
    check(gkit_context_dispatch($context, 0));
  }
  check(gkit_source_stop($source));
  gkit_connection_disconnect($connection);
  gkit_release($connection);
}

my $context = open_context($ARGV[0] // 'sim:laptop');
my $source = handle(\&gkit_source_open, $context, 'memory');
my $available = check(gkit_source_find_property($source, 'available'));
read_once($source, $available);
listen_to($context, $source, $available, 2);
eval { handle(\&gkit_source_open, $context, 'memroy') };
print "error: $@";
gkit_release($source);
check(gkit_context_close($context));
gkit_release($context);
print 'objects left: ', gkit_live_count(undef), "\n";

<?php
// Prints the free memory: one reading, then updates that this program waits for itself, and what an
// error says. PHP has one thread, so the context is in host mode.
//
//   php -d ffi.enable=1 memory.php [URI]
//
// GATHEREDKIT_LIBRARY and GATHEREDKIT_INCLUDE name the library and the folder of the declarations
// where they are not installed for the whole system.
declare(strict_types=1);

// The declarations, without the lines of the preprocessor.
$folder = getenv('GATHEREDKIT_INCLUDE') ?: '/usr/include';
$declarations = preg_replace('/^#.*$/m', '', file_get_contents("$folder/gatheredkit-ffi.h"));
$gkit = FFI::cdef($declarations, getenv('GATHEREDKIT_LIBRARY') ?: 'libgatheredkit.so.0');
$libc = FFI::cdef('
    struct pollfd { int fd; short events, revents; };
    int poll(struct pollfd *fds, unsigned long count, int timeout);
', 'libc.so.6');

/** Passes a status or a count on; a failure becomes an exception with its name and its text. */
function check(FFI $gkit, int $status): int
{
    if ($status < 0) {
        $message = FFI::string($gkit->gkit_last_error()->message);
        throw new RuntimeException($gkit->gkit_status_name($status) . ": $message");
    }
    return $status;
}

function text_of(FFI $gkit, FFI\CData $sample): string
{
    if ($sample->status !== $gkit->GKIT_SAMPLE_OK) {
        return $gkit->gkit_sample_status_name($sample->status);
    }
    $buffer = $gkit->new('char[64]');
    $gkit->gkit_value_format(FFI::addr($sample->value), 'By', $buffer, 64);
    return FFI::string($buffer);
}

function open_context(FFI $gkit, string $uri): FFI\CData
{
    $options = $gkit->new('gkit_context_options');
    $options->struct_size = FFI::sizeof($options);
    $options->mode = $gkit->GKIT_MODE_HOST;
    $context = $gkit->new('gkit_context *');
    check($gkit, $gkit->gkit_context_open($uri, FFI::addr($options), FFI::addr($context)));
    return $context;
}

function open_source(FFI $gkit, FFI\CData $context, string $id): FFI\CData
{
    $source = $gkit->new('gkit_source *');
    check($gkit, $gkit->gkit_source_open($context, $id, FFI::addr($source)));
    return $source;
}

function read_once(FFI $gkit, FFI\CData $source, int $available): void
{
    $room = $available + 1;
    $samples = $gkit->new("gkit_sample[$room]");
    check($gkit, $gkit->gkit_source_read_values($source, 5_000_000_000, $samples, $room));
    echo 'read: ', text_of($gkit, $samples[$available]), "\n";
}

function listen(FFI $gkit, FFI $libc, FFI\CData $context, FFI\CData $source, int $available): void
{
    $left = 2;
    $on_update = function ($from, $samples, $count) use ($gkit, $available, &$left): void {
        for ($i = 0; $i < $count; $i++) {
            if ($samples[$i]->property === $available && $left > 0) {
                $left--;
                echo 'update: ', text_of($gkit, $samples[$i]), "\n";
            }
        }
    };
    $connection = $gkit->new('gkit_connection *');
    $out = FFI::addr($connection);
    check($gkit, $gkit->gkit_source_listen($source, $on_update, null, null, $out));
    check($gkit, $gkit->gkit_source_start($source, 50_000_000));
    $readable = $libc->new('struct pollfd');
    $readable->fd = check($gkit, $gkit->gkit_context_fd($context));
    $readable->events = 1;
    while ($left > 0 && $libc->poll(FFI::addr($readable), 1, 5000) > 0) {
        check($gkit, $gkit->gkit_context_dispatch($context, 0));
    }
    check($gkit, $gkit->gkit_source_stop($source));
    $gkit->gkit_connection_disconnect($connection);
    $gkit->gkit_release($connection);
}

$context = open_context($gkit, $argv[1] ?? 'sim:laptop');
$source = open_source($gkit, $context, 'memory');
$available = check($gkit, $gkit->gkit_source_find_property($source, 'available'));
read_once($gkit, $source, $available);
listen($gkit, $libc, $context, $source, $available);
try {
    open_source($gkit, $context, 'memroy');
} catch (RuntimeException $error) {
    echo 'error: ', $error->getMessage(), "\n";
}
$gkit->gkit_release($source);
check($gkit, $gkit->gkit_context_close($context));
$gkit->gkit_release($context);
echo 'objects left: ', $gkit->gkit_live_count(null), "\n";

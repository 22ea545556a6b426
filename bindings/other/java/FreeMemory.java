import com.sun.jna.Callback;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;

/**
 * Prints the free memory: one reading, then updates that this program waits for itself, and what an
 * error says. Places of members are those that gatheredkit-api.json tells.
 *
 * <p>java -cp /usr/share/java/jna.jar FreeMemory.java [URI]
 *
 * <p>GATHEREDKIT_LIBRARY names the library where it is not installed for the whole system. The last
 * error belongs to a thread of the system: a virtual thread must not read it after a call.
 */
final class FreeMemory {
  /** The functions that this program uses. Handles are pointers that point nowhere. */
  interface GatheredKit extends Library {
    Pointer gkit_last_error();

    String gkit_status_name(int status);

    String gkit_sample_status_name(int status);

    long gkit_live_count(String type);

    void gkit_release(Pointer handle);

    long gkit_value_format(Pointer value, String unit, Pointer buffer, long capacity);

    int gkit_context_open(String uri, Pointer options, PointerByReference out);

    int gkit_context_close(Pointer context);

    int gkit_context_fd(Pointer context);

    int gkit_context_dispatch(Pointer context, long timeout);

    int gkit_source_open(Pointer context, String id, PointerByReference out);

    int gkit_source_find_property(Pointer source, String key);

    long gkit_source_read_values(Pointer source, long timeout, Pointer out, long capacity);

    int gkit_source_listen(
        Pointer source, Update update, Pointer data, Pointer destroy, PointerByReference out);

    int gkit_source_start(Pointer source, long interval);

    int gkit_source_stop(Pointer source);

    void gkit_connection_disconnect(Pointer connection);
  }

  /** A listener. */
  interface Update extends Callback {
    void call(Pointer source, Pointer samples, long count, Pointer data);
  }

  /** What waits until a file descriptor is readable. */
  interface Libc extends Library {
    int poll(Pointer descriptors, long count, int timeout);
  }

  private static final int MODE_HOST = 1;
  private static final int SAMPLE_OK = 0;
  private static final int SAMPLE_SIZE = 80;
  private static final int SAMPLE_PROPERTY = 28;
  private static final int SAMPLE_STATUS = 32;
  private static final int SAMPLE_VALUE = 40;
  private static final long SECOND = 1_000_000_000L;
  private static final int WANTED = 2;

  private static final GatheredKit GKIT = Native.load(library(), GatheredKit.class);
  private static final Libc LIBC = Native.load("c", Libc.class);

  private static int seen;

  private static String library() {
    String given = System.getenv("GATHEREDKIT_LIBRARY");
    return given == null ? "libgatheredkit.so.0" : given;
  }

  /** Passes a status or a count on; a failure becomes an exception with its name and its text. */
  private static long check(long status) {
    if (status >= 0) {
      return status;
    }
    String message = GKIT.gkit_last_error().getPointer(8).getString(0, "UTF-8");
    throw new IllegalStateException(GKIT.gkit_status_name((int) status) + ": " + message);
  }

  private static String text(Pointer samples, int index) {
    Pointer sample = samples.share((long) index * SAMPLE_SIZE);
    int status = sample.getInt(SAMPLE_STATUS);
    if (status != SAMPLE_OK) {
      return GKIT.gkit_sample_status_name(status);
    }
    Memory buffer = new Memory(64);
    GKIT.gkit_value_format(sample.share(SAMPLE_VALUE), "By", buffer, buffer.size());
    return buffer.getString(0, "UTF-8");
  }

  private static Pointer openContext(String uri) {
    Memory options = new Memory(24);
    options.clear();
    options.setLong(0, options.size());
    options.setInt(8, MODE_HOST);
    PointerByReference out = new PointerByReference();
    check(GKIT.gkit_context_open(uri, options, out));
    return out.getValue();
  }

  private static Pointer openSource(Pointer context, String id) {
    PointerByReference out = new PointerByReference();
    check(GKIT.gkit_source_open(context, id, out));
    return out.getValue();
  }

  private static void readOnce(Pointer source, int available) {
    int room = available + 1;
    Memory samples = new Memory((long) room * SAMPLE_SIZE);
    check(GKIT.gkit_source_read_values(source, 5 * SECOND, samples, room));
    System.out.println("read: " + text(samples, available));
  }

  private static void listen(Pointer context, Pointer source, int available) {
    // Kept by this variable for as long as the library may call it.
    Update update =
        (from, samples, count, data) -> {
          for (int index = 0; index < count; index++) {
            long property = (long) index * SAMPLE_SIZE + SAMPLE_PROPERTY;
            if (samples.getInt(property) == available && seen < WANTED) {
              seen++;
              System.out.println("update: " + text(samples, index));
            }
          }
        };
    PointerByReference connection = new PointerByReference();
    check(GKIT.gkit_source_listen(source, update, null, null, connection));
    check(GKIT.gkit_source_start(source, SECOND / 20));
    Memory readable = new Memory(8);
    readable.setInt(0, (int) check(GKIT.gkit_context_fd(context)));
    readable.setShort(4, (short) 1);
    while (seen < WANTED && LIBC.poll(readable, 1, 5000) > 0) {
      check(GKIT.gkit_context_dispatch(context, 0));
    }
    check(GKIT.gkit_source_stop(source));
    GKIT.gkit_connection_disconnect(connection.getValue());
    GKIT.gkit_release(connection.getValue());
  }

  public static void main(String[] arguments) {
    Pointer context = openContext(arguments.length > 0 ? arguments[0] : "sim:laptop");
    Pointer source = openSource(context, "memory");
    int available = (int) check(GKIT.gkit_source_find_property(source, "available"));
    readOnce(source, available);
    listen(context, source, available);
    try {
      openSource(context, "memroy");
    } catch (IllegalStateException error) {
      System.out.println("error: " + error.getMessage());
    }
    GKIT.gkit_release(source);
    check(GKIT.gkit_context_close(context));
    GKIT.gkit_release(context);
    System.out.println("objects left: " + GKIT.gkit_live_count(null));
  }
}

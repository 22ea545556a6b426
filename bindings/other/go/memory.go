// Prints the free memory: one reading, then updates that this program waits for itself, and what an
// error says. The context is in host mode, so that callbacks run on the goroutine that dispatches.
//
//	CGO_CFLAGS=-I... CGO_LDFLAGS=-L... go build memory.go && ./memory [URI]
package main

/*
#cgo LDFLAGS: -lgatheredkit
#include <gatheredkit.h>
#include <poll.h>
#include <stdlib.h>
void onUpdate(gkit_source *source, gkit_sample *samples, size_t count, void *user_data);
*/
import "C"

import (
	"fmt"
	"log"
	"os"
	"runtime"
	"unsafe"
)

const (
	second   = 1_000_000_000
	interval = 50_000_000
	wanted   = 2
)

// What the listener knows: the index of its property, and how many updates it has shown.
var available C.uint32_t
var seen int

// Calls the library; a failure becomes an error with its name and its text. The last error belongs
// to a thread, and a goroutine may change its thread between two calls unless it is locked to one.
func call(function func() int64) (int64, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	status := function()
	if status >= 0 {
		return status, nil
	}
	name := C.GoString(C.gkit_status_name(C.gkit_status(status)))
	return status, fmt.Errorf("%s: %s", name, C.GoString(C.gkit_last_error().message))
}

func must(function func() int64) int64 {
	number, err := call(function)
	if err != nil {
		log.Fatal(err)
	}
	return number
}

func text(sample *C.gkit_sample) string {
	if sample.status != C.GKIT_SAMPLE_OK {
		return C.GoString(C.gkit_sample_status_name(sample.status))
	}
	unit := C.CString("By")
	defer C.free(unsafe.Pointer(unit))
	var buffer [64]C.char
	C.gkit_value_format(&sample.value, unit, &buffer[0], C.size_t(len(buffer)))
	return C.GoString(&buffer[0])
}

//export onUpdate
func onUpdate(from *C.gkit_source, samples *C.gkit_sample, count C.size_t, data unsafe.Pointer) {
	all := unsafe.Slice(samples, int(count))
	for i := range all {
		if all[i].property == available && seen < wanted {
			seen++
			fmt.Println("update:", text(&all[i]))
		}
	}
}

func openContext(uri string) (context *C.gkit_context) {
	name := C.CString(uri)
	defer C.free(unsafe.Pointer(name))
	options := C.gkit_context_options{mode: C.GKIT_MODE_HOST}
	options.struct_size = C.size_t(unsafe.Sizeof(options))
	must(func() int64 { return int64(C.gkit_context_open(name, &options, &context)) })
	return context
}

func openSource(context *C.gkit_context, id string) (source *C.gkit_source, err error) {
	name := C.CString(id)
	defer C.free(unsafe.Pointer(name))
	_, err = call(func() int64 { return int64(C.gkit_source_open(context, name, &source)) })
	return source, err
}

func readOnce(source *C.gkit_source) {
	samples := make([]C.gkit_sample, available+1)
	room := C.size_t(len(samples))
	must(func() int64 {
		return int64(C.gkit_source_read_values(source, 5*second, &samples[0], room))
	})
	fmt.Println("read:", text(&samples[available]))
}

func listen(context *C.gkit_context, source *C.gkit_source) {
	var connection *C.gkit_connection
	function := C.gkit_update_fn(C.onUpdate)
	must(func() int64 {
		return int64(C.gkit_source_listen(source, function, nil, nil, &connection))
	})
	must(func() int64 { return int64(C.gkit_source_start(source, interval)) })
	descriptor := must(func() int64 { return int64(C.gkit_context_fd(context)) })
	readable := C.struct_pollfd{fd: C.int(descriptor), events: C.POLLIN}
	for seen < wanted && C.poll(&readable, 1, 5000) > 0 {
		must(func() int64 { return int64(C.gkit_context_dispatch(context, 0)) })
	}
	must(func() int64 { return int64(C.gkit_source_stop(source)) })
	C.gkit_connection_disconnect(connection)
	C.gkit_release(unsafe.Pointer(connection))
}

func main() {
	uri := "sim:laptop"
	if len(os.Args) > 1 {
		uri = os.Args[1]
	}
	context := openContext(uri)
	source, err := openSource(context, "memory")
	if err != nil {
		log.Fatal(err)
	}
	key := C.CString("available")
	defer C.free(unsafe.Pointer(key))
	available = C.uint32_t(must(func() int64 {
		return int64(C.gkit_source_find_property(source, key))
	}))
	readOnce(source)
	listen(context, source)
	if _, err := openSource(context, "memroy"); err != nil {
		fmt.Println("error:", err)
	}
	C.gkit_release(unsafe.Pointer(source))
	must(func() int64 { return int64(C.gkit_context_close(context)) })
	C.gkit_release(unsafe.Pointer(context))
	fmt.Println("objects left:", C.gkit_live_count(nil))
}

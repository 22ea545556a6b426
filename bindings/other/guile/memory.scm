;; Prints the free memory: one reading, then updates that this program waits for itself, and what an
;; error says. A foreign thread must not enter Guile unasked, so the context is in host mode.
;;
;;   guile memory.scm [URI]
;;
;; GATHEREDKIT_LIBRARY names the library where it is not installed for the whole system. The places
;; of members are those that gatheredkit-api.json tells.
(use-modules (system foreign) (rnrs bytevectors) (ice-9 format))

(define library (dynamic-link (or (getenv "GATHEREDKIT_LIBRARY") "libgatheredkit.so.0")))

(define (c result name . types)
  (pointer->procedure result (dynamic-func name library) types))

(define last-error (c '* "gkit_last_error"))
(define status-name (c '* "gkit_status_name" int32))
(define sample-status-name (c '* "gkit_sample_status_name" uint32))
(define live-count (c int64 "gkit_live_count" '*))
(define release (c void "gkit_release" '*))
(define value-format (c size_t "gkit_value_format" '* '* '* size_t))
(define context-open (c int32 "gkit_context_open" '* '* '*))
(define context-close (c int32 "gkit_context_close" '*))
(define context-fd (c int "gkit_context_fd" '*))
(define context-dispatch (c int32 "gkit_context_dispatch" '* int64))
(define source-open (c int32 "gkit_source_open" '* '* '*))
(define source-find-property (c int32 "gkit_source_find_property" '* '*))
(define source-read-values (c int64 "gkit_source_read_values" '* int64 '* size_t))
(define source-listen (c int32 "gkit_source_listen" '* '* '* '* '*))
(define source-start (c int32 "gkit_source_start" '* int64))
(define source-stop (c int32 "gkit_source_stop" '*))
(define connection-disconnect (c void "gkit_connection_disconnect" '*))

(define mode-host 1)
(define sample-size 80)
(define sample-property 28)
(define sample-status 32)
(define sample-value 40)
(define second 1000000000)
(define wanted 2)

;; Passes a status or a count on; a failure becomes an error with its name and its text.
(define (check status)
  (if (>= status 0)
      status
      (let* ((bytes (pointer->bytevector (last-error) 16))
             (message (make-pointer (bytevector-u64-native-ref bytes 8))))
        (error (string-append (pointer->string (status-name status)) ": "
                              (pointer->string message -1 "UTF-8"))))))

;; Calls a function that hands a handle out by its last parameter.
(define (handle function . all)
  (let ((place (make-bytevector 8 0)))
    (check (apply function (append all (list (bytevector->pointer place)))))
    (make-pointer (bytevector-u64-native-ref place 0))))

(define (open-context uri)
  (let ((options (make-bytevector 24 0)))
    (bytevector-u64-native-set! options 0 24)
    (bytevector-u32-native-set! options 8 mode-host)
    (handle context-open (string->pointer uri "UTF-8") (bytevector->pointer options))))

(define (open-source context id)
  (handle source-open context (string->pointer id "UTF-8")))

;; A number of one of the samples at an address.
(define (field samples index offset)
  (let ((sample (pointer->bytevector samples sample-size (* index sample-size))))
    (bytevector-u32-native-ref sample offset)))

(define (text samples index)
  (let ((status (field samples index sample-status))
        (buffer (make-bytevector 64 0))
        (value (+ (pointer-address samples) (* index sample-size) sample-value)))
    (if (zero? status)
        (let ((start (bytevector->pointer buffer)))
          (value-format (make-pointer value) (string->pointer "By") start 64)
          (pointer->string start -1 "UTF-8"))
        (pointer->string (sample-status-name status)))))

(define (read-once source available)
  (let* ((room (+ available 1))
         (samples (make-bytevector (* room sample-size) 0))
         (start (bytevector->pointer samples)))
    (check (source-read-values source (* 5 second) start room))
    (format #t "read: ~a~%" (text start available))))

(define (listen context source available)
  (let* ((seen 0)
         (on-update
          (lambda (from samples count data)
            (do ((index 0 (+ index 1))) ((= index count))
              (when (and (= (field samples index sample-property) available) (< seen wanted))
                (set! seen (+ seen 1))
                (format #t "update: ~a~%" (text samples index))))))
         ;; Kept by this variable for as long as the library may call it.
         (function (procedure->pointer void on-update (list '* '* size_t '*)))
         (connection (handle source-listen source function %null-pointer %null-pointer)))
    (check (source-start source (/ second 20)))
    (let ((descriptor (check (context-fd context))))
      (let loop ()
        (when (and (< seen wanted) (pair? (car (select (list descriptor) '() '() 5))))
          (check (context-dispatch context 0))
          (loop))))
    (check (source-stop source))
    (connection-disconnect connection)
    (release connection)
    function))

(let* ((uri (if (pair? (cdr (command-line))) (cadr (command-line)) "sim:laptop"))
       (context (open-context uri))
       (source (open-source context "memory"))
       (available (check (source-find-property source (string->pointer "available")))))
  (read-once source available)
  (listen context source available)
  (catch 'misc-error
    (lambda () (open-source context "memroy"))
    (lambda (key procedure message . rest)
      (format #t "error: ~a~%" (if (pair? rest) (apply format #f message (car rest)) message))))
  (release source)
  (check (context-close context))
  (release context)
  (format #t "objects left: ~a~%" (live-count %null-pointer)))

/* Calls that join and part: listeners, wires, graphs, and letting go. */
#ifndef RANDOM_FLOW_LINKS_H
#define RANDOM_FLOW_LINKS_H

void flow_listen(void);
void flow_unsubscribe(void);
void flow_end_listening(void);
void flow_wire(void);
void flow_unwire(void);
void flow_enter_or_leave_graph(void);
void flow_release_stream(void);
void flow_release_box(void);

#endif

/* One process that loads a library, or none: `library [FILE]`. Calls gkit_version if there is one.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **arguments) {
  if (count < 2)
    return 0;
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  unsigned (*version)(void) = (unsigned (*)(void))dlsym(library, "gkit_version");
  return version != NULL && version() == 0;
}

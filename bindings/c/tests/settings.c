/* R6: settings of a session (flag CONFIG), of the device (WRITABLE), and what cannot be set. */
#include "check.h"
#include "sim.h"
#include <math.h>
#include <string.h>

typedef struct world {
  gkit_context *context;
  gkit_source *one, *other;
} world;

static gkit_value number(double payload) {
  gkit_value value;
  memset(&value, 0, sizeof value);
  value.type = GKIT_TYPE_DOUBLE;
  value.as.number = payload;
  return value;
}

static gkit_value boolean(bool payload) {
  gkit_value value;
  memset(&value, 0, sizeof value);
  value.type = GKIT_TYPE_BOOL;
  value.as.boolean = payload;
  return value;
}

static gkit_status set(gkit_source *source, const char *key, gkit_value value) {
  return gkit_source_set_value(source, sim_property(source, key), &value);
}

static bool open_world(world *self, const char *id) {
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  self->one = self->other = NULL;
  options.mode = GKIT_MODE_HOST;
  if (!CHECK_OK(gkit_context_open("sim:phone&clock=manual", &options, &self->context)))
    return false;
  return CHECK_OK(gkit_source_open(self->context, id, &self->one)) &&
         CHECK_OK(gkit_source_open(self->context, id, &self->other));
}

static void close_world(world *self) {
  gkit_release(self->one);
  gkit_release(self->other);
  CHECK_OK(gkit_context_close(self->context));
  gkit_release(self->context);
}

static void seek_ms(const world *self, int64_t position) {
  CHECK_OK(gkit_context_seek(self->context, position * MILLISECOND));
}

/* A setting belongs to the session that made it; the next update is made with it. */
static void a_height_above_the_sea(void) {
  world world;
  if (!open_world(&world, "altimeter"))
    return;
  CHECK_OK(gkit_source_start(world.one, SECOND));
  CHECK_OK(gkit_source_start(world.other, SECOND));
  seek_ms(&world, 1000);
  CHECK_INT(sim_value(world.one, "altitude").status, GKIT_SAMPLE_NO_DATA);
  CHECK_INT(sim_value(world.one, "sea_level_pressure").status, GKIT_SAMPLE_NO_DATA);
  CHECK_OK(set(world.one, "sea_level_pressure", number(101325)));
  CHECK_NEAR(sim_value(world.one, "sea_level_pressure").value.as.number, 101325);
  seek_ms(&world, 2000);
  CHECK_INT(sim_value(world.one, "altitude").status, GKIT_SAMPLE_OK);
  CHECK_NEAR(sim_value(world.one, "altitude").value.as.number,
             sim_value(world.one, "pressure_altitude").value.as.number);
  CHECK_INT(sim_value(world.other, "altitude").status, GKIT_SAMPLE_NO_DATA);
  CHECK_INT(sim_value(world.other, "sea_level_pressure").status, GKIT_SAMPLE_NO_DATA);
  CHECK_OK(set(world.one, "sea_level_pressure", number(100000)));
  seek_ms(&world, 3000);
  CHECK(sim_value(world.one, "altitude").value.as.number <
        sim_value(world.one, "pressure_altitude").value.as.number);
  close_world(&world);
}

static double along_z(const gkit_source *source, const char *key) {
  return sim_value(source, key).value.as.vector[2];
}

/* The sign of gravity is the caller's to turn over, openly and for one session. */
static void turned_over(void) {
  world world;
  if (!open_world(&world, "accelerometer"))
    return;
  CHECK(!sim_value(world.one, "inverted").value.as.boolean);
  CHECK_OK(gkit_source_start(world.one, 10 * MILLISECOND));
  CHECK_OK(gkit_source_start(world.other, 10 * MILLISECOND));
  CHECK_OK(set(world.one, "inverted", boolean(true)));
  seek_ms(&world, 100);
  CHECK(sim_value(world.one, "inverted").value.as.boolean);
  CHECK(!sim_value(world.other, "inverted").value.as.boolean);
  CHECK(along_z(world.other, "acceleration") != 0);
  CHECK_NEAR(along_z(world.one, "acceleration"), -along_z(world.other, "acceleration"));
  CHECK_OK(set(world.one, "inverted", boolean(false)));
  seek_ms(&world, 110);
  CHECK_NEAR(along_z(world.one, "acceleration"), along_z(world.other, "acceleration"));
  close_world(&world);
}

static void an_attitude_turned_over(void) {
  world world;
  if (!open_world(&world, "device_attitude"))
    return;
  CHECK_OK(set(world.one, "inverted", boolean(true)));
  CHECK_OK(gkit_source_start(world.one, 20 * MILLISECOND));
  seek_ms(&world, 100);
  CHECK_INT(sim_value(world.one, "inverted").status, GKIT_SAMPLE_OK);
  CHECK(sim_value(world.one, "inverted").value.as.boolean);
  CHECK_OK(gkit_source_update_values(world.other, SECOND));
  CHECK(!sim_value(world.other, "inverted").value.as.boolean);
  close_world(&world);
}

/* NOT_SUPPORTED, TYPE, INVALID_ARGUMENT; and nothing changes. */
static void refused(void) {
  world world;
  gkit_property_info info = GKIT_PROPERTY_INFO_INIT;
  if (!open_world(&world, "compass"))
    return;
  uint32_t declination = sim_property(world.one, "declination");
  CHECK_OK(gkit_source_get_property_info(world.one, declination, &info));
  CHECK((info.flags & GKIT_PROPERTY_CONFIG) != 0);
  CHECK((info.flags & GKIT_PROPERTY_WRITABLE) == 0);
  CHECK_OK(set(world.one, "declination", number(3.5)));
  CHECK_STATUS(set(world.one, "declination", boolean(true)), GKIT_ERROR_TYPE);
  CHECK_INVALID(set(world.one, "declination", number(180.5)));
  CHECK_INVALID(set(world.one, "declination", number(-1e9)));
  CHECK_INVALID(set(world.one, "declination", number(NAN)));
  CHECK_INVALID(set(world.one, "declination", number(INFINITY)));
  CHECK_INVALID(gkit_source_set_value(world.one, declination, NULL));
  CHECK_STATUS(set(world.one, "true_heading", number(1)), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(set(world.one, "magnetic_heading", number(1)), GKIT_ERROR_NOT_SUPPORTED);
  gkit_value value = number(1);
  CHECK_INVALID(gkit_source_set_value(world.one, sim_property_count(world.one), &value));
  CHECK_INVALID(gkit_source_set_value(world.one, UINT32_MAX, &value));
  CHECK_NEAR(sim_value(world.one, "declination").value.as.number, 3.5);
  CHECK_OK(gkit_source_start(world.one, 100 * MILLISECOND));
  seek_ms(&world, 500);
  double heading = sim_value(world.one, "magnetic_heading").value.as.number;
  CHECK_NEAR(sim_value(world.one, "true_heading").value.as.number, fmod(heading + 3.5 + 360, 360));
  close_world(&world);
}

/* What is written to the device is so for every session, and those that update hear of it. */
static void written_to_the_device(void) {
  world world;
  gkit_property_info info = GKIT_PROPERTY_INFO_INIT;
  if (!open_world(&world, "screen"))
    return;
  uint32_t brightness = sim_property(world.one, "brightness");
  CHECK_OK(gkit_source_get_property_info(world.one, brightness, &info));
  CHECK((info.flags & GKIT_PROPERTY_WRITABLE) != 0);
  CHECK((info.flags & GKIT_PROPERTY_CONFIG) == 0);
  CHECK_OK(gkit_source_start(world.one, 60 * SECOND));
  CHECK_OK(set(world.other, "brightness", number(0.25)));
  CHECK_STATUS(set(world.other, "brightness", boolean(true)), GKIT_ERROR_TYPE);
  CHECK_INVALID(set(world.other, "brightness", number(1.5)));
  CHECK_STATUS(set(world.other, "width", number(1)), GKIT_ERROR_NOT_SUPPORTED);
  seek_ms(&world, 500);
  CHECK_NEAR(sim_value(world.one, "brightness").value.as.number, 0.25);
  close_world(&world);
}

int main(void) {
  RUN(a_height_above_the_sea);
  RUN(turned_over);
  RUN(an_attitude_turned_over);
  RUN(refused);
  RUN(written_to_the_device);
  return check_report();
}

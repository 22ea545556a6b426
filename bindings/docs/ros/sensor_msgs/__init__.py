"""Stands in for ROS 2's sensor_msgs."""

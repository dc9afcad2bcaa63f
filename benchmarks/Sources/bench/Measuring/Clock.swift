import Glibc

/// Seconds of the monotonic clock.
func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func pause(seconds: Double) {
    usleep(UInt32(seconds * 1e6))
}

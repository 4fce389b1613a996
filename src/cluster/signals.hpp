#pragma once

namespace barsweep::cluster {

/// While it lives, SIGTERM, SIGINT and SIGUSR2 ask for a stop instead of ending the process. A
/// second SIGINT within a second ends it at once, with 130. One at a time.
class StopSignals {
public:
    StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    ~StopSignals();

    /// The last of these signals; 0: none came.
    int received() const noexcept;
};

}  // namespace barsweep::cluster

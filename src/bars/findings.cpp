#include "bars/findings.hpp"

namespace barsweep::bars {

void add_finding(Findings& findings, const std::string& kind, Finding finding)
{
    auto& list = findings[kind];
    ++list.count;
    if (list.first.size() < most_findings) list.first.push_back(std::move(finding));
}

}  // namespace barsweep::bars

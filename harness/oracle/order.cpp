#include "oracle/order.h"

namespace assay::oracle {

bool SameStream(const Received& a, const Received& b) {
  return a.entry->exchange == b.entry->exchange && a.entry->connection == b.entry->connection;
}

}  // namespace assay::oracle

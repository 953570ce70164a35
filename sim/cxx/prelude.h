// The first lines of every file of a model: what does not differ between models, so that it can be
// compiled ahead.
#include "hooks.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <vector>

#include "verilated.h"

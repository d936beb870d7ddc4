#pragma once
#include "engine/base/printable.hpp"

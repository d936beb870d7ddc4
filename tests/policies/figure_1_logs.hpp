#pragma once
// The records of the twelve jobs of Figure 1 (Liu et al. 2012): starts, promotions, ends
// and plans; processors count from 0, slots in process order.  Worked out by hand from
// the algorithms (docs/model.md#two-tier).

#include <array>
#include <string_view>

namespace berth::test {

struct FigureLog {
  std::string_view policy;
  double second;  // the use of job 2
  std::string_view text;
};

inline constexpr std::array<FigureLog, 8> kFigureLogs{{
    {"easy", 0.5,
     "0 start 1 fg [4,3]; 0 plan 2 at 10 spare 1; 0 start 3 fg [2,1]; "
     "0 start 4 fg [0]; 5 end 3; 5 plan 2 at 10 spare 0; 5 start 5 fg [2]; "
     "5 start 6 fg [1]; 7 end 5; 7 plan 2 at 10 spare 0; 8 end 6; "
     "8 plan 2 at 10 spare 0; 10 end 1; 10 start 2 fg [4,3,2,1]; "
     "10 plan 7 at 11 spare 0; 11 end 4; 11 start 7 fg [0]; "
     "11 plan 8 at 16 spare 4; 16 end 2; 16 end 7; 16 start 8 fg [4]; "
     "16 start 9 fg [3]; 16 start 10 fg [2]; 16 plan 11 at 21 spare 0; "
     "20 end 8; 21 end 9; 21 end 10; 21 start 11 fg [4,3,2,1,0]; "
     "21 plan 12 at 25 spare 1; 25 end 11; 25 start 12 fg [4,3,2,1]; 28 end 12"},
    {"easy", 0.25,
     "0 start 1 fg [4,3]; 0 plan 2 at 10 spare 1; 0 start 3 fg [2,1]; "
     "0 start 4 fg [0]; 5 end 3; 5 plan 2 at 10 spare 0; 5 start 5 fg [2]; "
     "5 start 6 fg [1]; 7 end 5; 7 plan 2 at 10 spare 0; 8 end 6; "
     "8 plan 2 at 10 spare 0; 10 end 1; 10 start 2 fg [4,3,2,1]; "
     "10 plan 7 at 11 spare 0; 11 end 4; 11 start 7 fg [0]; "
     "11 plan 8 at 16 spare 4; 16 end 2; 16 end 7; 16 start 8 fg [4]; "
     "16 start 9 fg [3]; 16 start 10 fg [2]; 16 plan 11 at 21 spare 0; "
     "20 end 8; 21 end 9; 21 end 10; 21 start 11 fg [4,3,2,1,0]; "
     "21 plan 12 at 25 spare 1; 25 end 11; 25 start 12 fg [4,3,2,1]; 28 end 12"},
    {"keasy", 0.5,
     "0 start 1 fg [4,3]; 0 plan 2 at 10 spare 1; 0 start 3 fg [2,1]; "
     "0 start 4 fg [0]; 0 start 5 bg [4]; 0 start 6 bg [3]; 0 start 8 bg [2]; "
     "0 start 7 bg [1]; 5 end 3; 5 end 5; 5 plan 2 at 10 spare 0; "
     "5 restart 6 fg [2]; 5 swap 7 fg [1]; 5 start 9 bg [4]; "
     "5 start 10 bg [3]; 8 end 6; 8 end 7; 8 plan 2 at 10 spare 0; 10 end 1; "
     "10 end 8; 10 start 2 fg [2,1,4,3]; 10 plan 9 at 11 spare 0; 11 end 4; "
     "11 restart 9 fg [0]; 11 plan 10 at 16 spare 4; 16 end 2; 16 end 9; "
     "16 swap 10 fg [3]; 16 plan 11 at 21 spare 0; 16 start 12 fg [4,2,1,0]; "
     "16.6 end 10; 16.6 plan 11 at 19 spare 0; 16.6 start 11 bg [3,4,2,1,0]; "
     "19 end 12; 19 swap 11 fg [3,4,2,1,0]; 21.08 end 11"},
    {"keasy", 0.25,
     "0 start 1 fg [4,3]; 0 plan 2 at 10 spare 1; 0 start 3 fg [2,1]; "
     "0 start 4 fg [0]; 0 start 5 bg [4]; 0 start 6 bg [3]; 0 start 8 bg [2]; "
     "0 start 7 bg [1]; 5 end 3; 5 end 5; 5 plan 2 at 10 spare 0; "
     "5 restart 6 fg [2]; 5 swap 7 fg [1]; 5 start 9 bg [4]; "
     "5 start 10 bg [3]; 8 end 6; 8 end 7; 8 plan 2 at 10 spare 0; 10 end 1; "
     "10 end 8; 10 start 2 fg [2,1,4,3]; 10 plan 9 at 11 spare 0; 11 end 4; "
     "11 restart 9 fg [0]; 11 plan 10 at 16 spare 4; 15 end 10; "
     "15 start 12 bg [4,3,2,1]; 16 end 2; 16 end 9; "
     "16 start 11 fg [0,4,3,2,1]; 16 plan 12 at 20 spare 1; 18.75 end 12; "
     "20 end 11"},
    {"reasy", 0.5,
     "0 start 1 fg [4,3]; 0 plan 2 at 10 spare 1; 0 start 3 fg [2,1]; "
     "0 start 4 fg [0]; 0 start 5 bg [4]; 0 start 6 bg [3]; 0 start 8 bg [2]; "
     "0 start 7 bg [1]; 5 end 3; 5 end 5; 5 plan 2 at 10 spare 0; "
     "5 swap 7 fg [1]; 5 swap 8 fg [2]; 5 start 9 bg [4]; 7 end 8; "
     "7 plan 2 at 10 spare 0; 7 start 10 bg [2]; 7.5 end 6; 8 end 7; "
     "8 plan 2 at 10 spare 0; 10 end 1; 10 start 2 fg [3,1,4,2]; "
     "10 plan 9 at 16 spare 0; 11 end 4; 11 plan 9 at 16 spare 1; 15 end 10; "
     "15 start 12 bg [0,3,2,1]; 16 end 2; 16 swap 9 fg [4]; "
     "16 plan 11 at 21 spare 0; 16 swap 12 fg [0,3,2,1]; 16.6 end 9; "
     "16.6 plan 11 at 19 spare 0; 16.6 start 11 bg [4,3,2,1,0]; 18.2 end 12; "
     "18.2 swap 11 fg [4,3,2,1,0]; 20.92 end 11"},
    {"reasy", 0.25,
     "0 start 1 fg [4,3]; 0 plan 2 at 10 spare 1; 0 start 3 fg [2,1]; "
     "0 start 4 fg [0]; 0 start 5 bg [4]; 0 start 6 bg [3]; 0 start 8 bg [2]; "
     "0 start 7 bg [1]; 5 end 3; 5 end 5; 5 plan 2 at 10 spare 0; "
     "5 swap 7 fg [1]; 5 swap 8 fg [2]; 5 start 9 bg [4]; 7 end 8; "
     "7 plan 2 at 10 spare 0; 7 start 10 bg [2]; 7.5 end 6; 8 end 7; "
     "8 plan 2 at 10 spare 0; 10 end 1; 10 start 2 fg [3,1,4,2]; "
     "10 plan 9 at 16 spare 0; 11 end 4; 11 plan 9 at 16 spare 1; "
     "13.333333 end 10; 13.333333 start 12 bg [0,3,2,1]; 15 end 9; 16 end 2; "
     "16 start 11 fg [4,3,2,1,0]; 16 plan 12 at 20 spare 0; 17.083333 end 12; "
     "20 end 11"},
    {"measy", 0.5,
     "0 start 1 fg [4,3]; 0 plan 2 at 10 spare 1; 0 start 3 fg [2,1]; "
     "0 start 4 fg [0]; 0 start 5 bg [4]; 0 start 6 bg [3]; 0 start 8 bg [2]; "
     "0 start 7 bg [1]; 5 end 3; 5 end 5; 5 plan 2 at 10 spare 0; "
     "5 migrate 6 fg [2] frozen until 6; 5 swap 7 fg [1]; 5 start 9 bg [4]; "
     "5 start 10 bg [3]; 7 end 6; 7 plan 2 at 10 spare 0; 8 end 7; "
     "8 plan 2 at 10 spare 0; 8.2 end 8; 10 end 1; 10 start 2 fg [2,1,4,3]; "
     "10 plan 9 at 11 spare 0; 11 end 4; 11 migrate 9 fg [0] frozen until 12; "
     "11 plan 10 at 16 spare 3; 14.6 end 9; "
     "14.6 migrate 10 fg [0] frozen until 15.6; 14.6 plan 11 at 20.6 spare 0; "
     "14.6 start 12 bg [4,3,2,1]; 16 end 2; 16 plan 11 at 20.6 spare 0; "
     "16 swap 12 fg [4,3,2,1]; 16.76 end 10; 16.76 plan 11 at 19 spare 0; "
     "16.76 start 11 bg [0,4,3,2,1]; 17.88 end 12; "
     "17.88 swap 11 fg [0,4,3,2,1]; 20.984 end 11"},
    {"measy", 0.25,
     "0 start 1 fg [4,3]; 0 plan 2 at 10 spare 1; 0 start 3 fg [2,1]; "
     "0 start 4 fg [0]; 0 start 5 bg [4]; 0 start 6 bg [3]; 0 start 8 bg [2]; "
     "0 start 7 bg [1]; 5 end 3; 5 end 5; 5 plan 2 at 10 spare 0; "
     "5 migrate 6 fg [2] frozen until 6; 5 swap 7 fg [1]; 5 start 9 bg [4]; "
     "5 start 10 bg [3]; 7 end 6; 7 plan 2 at 10 spare 0; 8 end 7; "
     "8 plan 2 at 10 spare 0; 8.2 end 8; 10 end 1; 10 start 2 fg [2,1,4,3]; "
     "10 plan 9 at 11 spare 0; 11 end 4; 11 migrate 9 fg [0] frozen until 12; "
     "11 plan 10 at 16 spare 3; 14.4 end 9; "
     "14.4 migrate 10 fg [0] frozen until 15.4; 14.4 plan 11 at 20.4 spare 0; "
     "14.4 start 12 bg [4,3,2,1]; 15.76 end 10; 15.76 plan 11 at 16 spare 0; "
     "16 end 2; 16 start 11 fg [0,4,3,2,1]; 16 plan 12 at 20 spare 1; "
     "18.15 end 12; 20 end 11"},
}};

}  // namespace berth::test

// The model itself: programs with known answers, and random ones against the axioms.
#include "check/litmus.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string_view>

using namespace litmus;

namespace {

bool full_size() {
  const char* size = std::getenv("HEMLOCK_TEST_SIZE");
  return size != nullptr && std::string_view(size) == "full";
}

constexpr std::memory_order load_orders[] = {rlx, acq, sc};
constexpr std::memory_order store_orders[] = {rlx, rel, sc};
constexpr std::memory_order update_orders[] = {rlx, acq, rel, ar, sc};

void expect_same(const program& what) {
  const outcomes explorer = explored(what);
  EXPECT_EQ(explorer, allowed(what)) << to_string(what);
  EXPECT_EQ(explorer, explored(what, false)) << "without reduction: " << to_string(what);
}

}  // namespace

TEST(litmus, store_buffering_is_forbidden_only_when_all_is_seq_cst) {
  for (auto w1 : store_orders)
    for (auto r1 : load_orders)
      for (auto w2 : store_orders)
        for (auto r2 : load_orders) {
          const program sb{{w(x, 1, w1), r(y, r1)}, {w(y, 1, w2), r(x, r2)}};
          const bool all_sc = w1 == sc && r1 == sc && w2 == sc && r2 == sc;
          EXPECT_EQ(has(explored(sb), "00"), !all_sc) << to_string(sb);
          expect_same(sb);
        }
}

TEST(litmus, message_passing_needs_release_and_acquire) {
  for (auto w1 : store_orders)
    for (auto r1 : load_orders) {
      const program mp{{w(x, 1, rlx), w(y, 1, w1)}, {r(y, r1), r(x, rlx)}};
      EXPECT_EQ(has(explored(mp), "10"), w1 == rlx || r1 == rlx) << to_string(mp);
      expect_same(mp);
    }
}

TEST(litmus, load_buffering_does_not_exist_in_this_model) {
  for (auto r1 : load_orders)
    for (auto w1 : store_orders) {
      const program lb{{r(x, r1), w(y, 1, w1)}, {r(y, r1), w(x, 1, w1)}};
      EXPECT_FALSE(has(explored(lb), "11")) << to_string(lb);
      expect_same(lb);
    }
}

TEST(litmus, independent_reads_of_independent_writes_agree_only_under_seq_cst) {
  for (auto w1 : store_orders)
    for (auto r1 : load_orders) {
      const program iriw{{w(x, 1, w1)}, {w(y, 1, w1)}, {r(x, r1), r(y, r1)}, {r(y, r1), r(x, r1)}};
      EXPECT_EQ(has(explored(iriw), "1010"), w1 != sc || r1 != sc) << to_string(iriw);
      expect_same(iriw);
    }
}

TEST(litmus, fences_forbid_iriw_and_store_buffering) {
  const program iriw{
      {w(x, 1, rlx)}, {w(y, 1, rlx)}, {r(x, rlx), f(sc), r(y, rlx)}, {r(y, rlx), f(sc), r(x, rlx)}};
  EXPECT_FALSE(has(explored(iriw), "1010"));
  expect_same(iriw);
  for (auto order : {acq, rel, ar, sc}) {
    const program sb{{w(x, 1, rlx), f(order), r(y, rlx)}, {w(y, 1, rlx), f(order), r(x, rlx)}};
    EXPECT_EQ(has(explored(sb), "00"), order != sc) << to_string(sb);
    expect_same(sb);
  }
}

TEST(litmus, fences_pass_messages) {
  for (auto first : {acq, rel, ar, sc})
    for (auto second : {acq, rel, ar, sc}) {
      const program mp{{w(x, 1, rlx), f(first), w(y, 1, rlx)}, {r(y, rlx), f(second), r(x, rlx)}};
      EXPECT_EQ(has(explored(mp), "10"), first == acq || second == rel) << to_string(mp);
      expect_same(mp);
    }
}

TEST(litmus, reads_of_one_word_never_go_back) {
  for (auto order : load_orders) {
    const program corr{{w(x, 1, rlx), w(x, 2, rlx)}, {r(x, order), r(x, order)}, {r(x, order), r(x, order)}};
    const auto all = explored(corr);
    EXPECT_FALSE(has(all, "2100"));
    EXPECT_FALSE(has(all, "1000"));
    EXPECT_TRUE(has(all, "0112"));
    expect_same(corr);
    expect_same({{w(x, 1, rlx)}, {w(x, 2, rlx)}, {r(x, order), r(x, order)}, {r(x, order), r(x, order)}});
    expect_same({{r(x, order), w(x, 1, rlx)}, {r(x, order), w(x, 2, rlx)}});
    expect_same({{w(x, 1, rlx), r(x, order)}, {w(x, 2, rlx), r(x, order)}});
  }
}

TEST(litmus, stores_of_two_threads_may_be_ordered_against_the_clock) {
  for (auto order : store_orders) {
    const program two_plus_two{{w(x, 1, order), w(y, 2, order)}, {w(y, 1, order), w(x, 2, order)}};
    EXPECT_EQ(explored(two_plus_two).contains("|110"), order != sc) << to_string(two_plus_two);
    expect_same(two_plus_two);
  }
}

TEST(litmus, a_chain_of_updates_carries_a_release_and_a_store_ends_it) {
  for (auto middle : update_orders) {
    const program chain{{w(x, 1, rlx), w(y, 1, rel)}, {faa(y, 1, middle)}, {r(y, acq), r(x, rlx)}};
    EXPECT_FALSE(has(explored(chain), "120")) << to_string(chain);
    expect_same(chain);
  }
  // C++20: a later store of the same thread is not part of the release sequence.
  const program store{{w(x, 1, rlx), w(y, 1, rel), w(y, 2, rlx)}, {r(y, acq), r(x, rlx)}};
  EXPECT_TRUE(has(explored(store), "20"));
  expect_same(store);
}

TEST(litmus, updates_are_atomic) {
  for (auto order : update_orders) {
    const program two{{faa(x, 1, order)}, {faa(x, 1, order)}, {w(x, 5, rlx)}};
    expect_same(two);
    EXPECT_FALSE(has(explored({{faa(x, 1, order)}, {faa(x, 1, order)}}), "00"));
  }
}

TEST(litmus, other_shapes_agree_with_the_axioms) {
  for (auto s : store_orders)
    for (auto l : load_orders) {
      expect_same({{w(x, 1, s), w(y, 1, s)}, {r(y, l), w(x, 2, s)}});                         // S
      expect_same({{w(x, 1, s), w(y, 1, s)}, {w(y, 2, s), r(x, l)}});                         // R
      expect_same({{w(x, 1, s)}, {r(x, l), w(y, 1, s)}, {r(y, l), r(x, l)}});                 // WRC
      expect_same({{w(x, 1, s)}, {r(x, l), r(y, l)}, {w(y, 1, s), r(x, l)}});                 // RWC
      expect_same({{w(x, 1, s), w(y, 1, s)}, {r(y, l), w(z, 1, s)}, {r(z, l), r(x, l)}});     // ISA2
      expect_same({{w(x, 1, s), w(y, 1, s)}, {r(y, l), w(z, 1, s)}, {w(z, 2, s), r(x, l)}});  // W+RR
    }
}

TEST(litmus, random_programs_have_exactly_the_outcomes_that_the_axioms_allow) {
  const int count = full_size() ? 3000 : 300;
  std::mt19937 random(20211);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  for (int i = 0; i < count; ++i) {
    program what(2 + below(2));
    int value = 1;
    std::size_t left = 6;
    for (auto& thread : what) {
      const std::size_t length = std::min(left, 1 + below(3));
      left -= length;
      for (std::size_t k = 0; k < length; ++k) {
        const int word = static_cast<int>(below(2));
        switch (below(8)) {
          case 0:
          case 1:
          case 2:
            thread.push_back(r(word, load_orders[below(3)]));
            break;
          case 3:
          case 4:
            thread.push_back(w(word, value++, store_orders[below(3)]));
            break;
          case 5:
            thread.push_back(swap(word, value++, update_orders[below(5)]));
            break;
          case 6:
            thread.push_back(faa(word, 10, update_orders[below(5)]));
            break;
          default:
            thread.push_back(f(update_orders[1 + below(4)]));
        }
      }
    }
    expect_same(what);
    if (HasFailure()) {
      ADD_FAILURE() << "program " << i << " of seed 20211: " << to_string(what);
      return;
    }
  }
}

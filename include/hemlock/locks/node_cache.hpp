// A thread's own stack of free queue nodes, so that locking allocates only when the stack is empty. The stack
// is as deep as the most nodes the thread ever needed at once, and is given back when the thread ends.
#pragma once

#include "../world/order.hpp"

namespace hemlock {

/// `Node` has a `World::plain<Node*>` member named free_link.
template <class World, class Node>
class node_cache {
public:
  static Node* take() {
    node_cache& mine = World::template self<node_cache>();
    Node* const top = mine.top_;
    if (top == nullptr) [[unlikely]]
      return World::template create<Node>();
    mine.top_ = top->free_link;
    return top;
  }

  static void give(Node* node) noexcept {
    node_cache& mine = World::template self<node_cache>();
    if (!mine.emptied_at_exit_) [[unlikely]]
      arm(mine);
    node->free_link = mine.top_;
    mine.top_ = node;
  }

private:
  [[gnu::cold, gnu::noinline]] static void arm(node_cache& mine) noexcept {
    World::template at_thread_exit<&node_cache::empty, node_cache>();
    mine.emptied_at_exit_ = true;
  }

  static void empty(node_cache& cache) noexcept {
    cache.emptied_at_exit_ = false;  // a lock used later in the thread's end arms it again
    while (cache.top_ != nullptr) {
      Node* const node = cache.top_;
      cache.top_ = node->free_link;
      World::destroy(node);
    }
  }

  Node* top_ = nullptr;
  bool emptied_at_exit_ = false;
};

}  // namespace hemlock

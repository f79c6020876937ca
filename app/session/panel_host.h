#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "app/session/selection.h"
#include "base/size.h"
#include "event/event_loop.h"
#include "event/timer.h"
#include "panel/panel.h"
#include "panel/plain_view.h"
#include "terminal/capabilities.h"
#include "terminal/hotkey.h"
#include "terminal/key_decoder.h"
#include "terminal/overlay.h"
#include "terminal/screen.h"
#include "terminal/viewport.h"

namespace app {

/// Puts the panel over the live session and takes it away again: opening and closing between whole sequences, frames at
/// the terminal's pace, keys while the panel has the keyboard.
class PanelHost {
 public:
  /// What it needs of the session it lies over.
  struct Surroundings {
    std::function<void(std::string_view)> write;    ///< To the operator's terminal.
    std::function<void(std::string_view)> show;     ///< The same, as part of the session's own screen.
    std::function<bool()> terminal_busy;            ///< It has not taken everything written before.
    std::function<void()> update_shadow;            ///< Everything shown so far is in the screen's model.
    std::function<void(std::string_view)> send;     ///< To the remote.
    std::function<void(std::string_view)> reply;    ///< The shadow answers a query of the remote.
    std::function<void()> on_hotkey;                ///< Pressed while the panel has the keyboard.
    std::function<void(base::Size)> resize_remote;  ///< The panel lies beside the session, or no longer does.
    std::function<void()> on_switched;              ///< The panel opened or closed.
    std::function<void(const panel::PanelAction&)> on_action;
  };

  /// Drawn over the session, or printed as lines between its own: for screen readers, and where nothing can be drawn.
  enum class Look : std::uint8_t { drawn, lines };

  PanelHost(event::EventLoop& loop, terminal::Screen& screen, const terminal::Capabilities& capabilities,
            panel::Panel::Options options, Surroundings surroundings, Look look = Look::drawn);

  panel::Panel& panel() { return panel_; }
  /// What the operator marked above the panel.
  const Selection& selection() const { return selection_; }
  /// It has the keyboard.
  bool is_open() const { return look_ == Look::lines ? lines_open_ : overlay_.is_open(); }
  /// It lies over the session's screen, which is drawn by us meanwhile.
  bool covers_screen() const { return overlay_.is_open(); }

  void open();
  void close();
  /// Without waiting for the remote to end its sequence: it is gone, or something else matters more.
  void close_now();
  /// A hotkey that came before the panel could open takes that back. False when nothing waited.
  bool cancel_waiting() { return std::exchange(at_boundary_, nullptr) != nullptr; }

  /// Keys while open. Returns the bytes after the key that closed the panel: they belong to the remote.
  std::string_view input(std::string_view bytes);
  bool key_pending() const { return keys_.pending(); }
  /// The rest of a half-way key did not come.
  void flush_keys();

  /// What the remote printed while open, kept for closing.
  void record(std::string_view bytes) { overlay_.record(bytes); }
  /// Bytes were shown: what waits for the end of a sequence may be due.
  void after_output();

  void schedule_paint();
  /// The terminal took everything: a frame that waited for that is due.
  void on_drained();
  void resized(base::Size size);
  /// The size the remote has, or will have when the panel opens or closes.
  base::Size remote_size() const { return panel_.layout().remote_size(size_, overlay_.is_open()); }
  /// Bytes that make the terminal ours again after someone else had it.
  std::string reclaim() { return overlay_.reclaim(); }
  std::string exit_sequence() const { return overlay_.exit_sequence(); }

 private:
  void on_key(const terminal::Key& key, std::string_view raw);
  void on_action(const panel::PanelAction& action);
  void key_to_terminal(const terminal::Key& key, std::string_view raw);
  void give_keyboard(bool above);
  void fit_remote();
  void do_between_sequences(std::function<void()> action);
  void schedule_paint(std::chrono::milliseconds frame_time);
  void paint();
  base::Size free_part() const;
  void copy_session(terminal::Frame& frame, base::Size part);
  void keep_spinning();
  void open_lines();
  void close_lines();
  void print_lines();

  terminal::Screen& screen_;
  terminal::Hotkey hotkey_;
  Surroundings surroundings_;
  Look look_;
  bool lines_open_ = false;
  panel::PlainView lines_;
  base::Size size_;
  terminal::Overlay overlay_;
  panel::Panel panel_;
  terminal::Viewport viewport_;
  Selection selection_;
  int shown_top_ = 0;  ///< The screen's row in the terminal's first, as last painted.
  terminal::KeyDecoder keys_;
  std::string raw_key_;          ///< Bytes of the key the decoder is in the middle of.
  bool keyboard_above_ = false;  ///< Keys go to the remote though the panel is open.
  event::Timer paint_timer_;
  event::Timer spin_timer_;
  event::Timer boundary_timer_;
  std::function<void()> at_boundary_;  ///< Waits for the end of a half-way sequence.
  std::chrono::steady_clock::time_point last_paint_{};
  bool painted_alternate_ = false;  ///< Which screen the last frame showed.
  bool paint_wanted_ = false;       ///< The terminal is still busy with an earlier frame.
};

}  // namespace app

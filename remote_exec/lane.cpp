#include "remote_exec/lane.h"

#include "base/utf8.h"
#include "remote_exec/encoding.h"

namespace remote_exec {

Lane::Lane(LaneContext context, ExecRequest request, std::shared_ptr<RunLink> link)
    : context_(context), request_(std::move(request)), link_(std::move(link)) {}

std::string Lane::filter(std::string_view bytes) {
  last_byte_ = now();
  std::string shown = on_bytes(bytes);
  return shown += take_held();
}

milliseconds Lane::since(Clock::time_point moment) const {
  return std::chrono::duration_cast<milliseconds>(now() - moment);
}

void Lane::type(std::string_view line) const {
  constexpr std::size_t kMessage = 1024;
  const auto written = in_encoding(line, context_.options.encoding);
  std::string_view text = written ? std::string_view(*written) : line;
  while (!text.empty()) {
    std::string_view piece = base::cut_utf8(text, kMessage);
    if (piece.empty() || !context_.options.encoding.empty()) piece = text.substr(0, kMessage);
    context_.host.send(piece);
    text.remove_prefix(piece.size());
  }
}

void Lane::tell(RunState state, Asking asking) {
  if (!link_->wanted || !link_->callbacks.on_state) return;
  context_.loop.defer([link = link_, state, asking] {
    const auto call = link->callbacks.on_state;
    if (link->wanted && call) call(state, asking);
  });
}

void Lane::deliver(Status status, Reason reason, std::optional<int> exit_code, std::string note) {
  if (delivered_) return;
  delivered_ = true;
  CommandResult result;
  result.command = request_.command;
  result.status = status;
  result.reason = reason;
  result.exit_code = exit_code;
  result.framing = framing_;
  result.duration = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began_);
  if (recorder_) recorder_->fill(result);
  result.notices = context_.notices;
  result.note_for_model = note;
  result.note_for_operator = std::move(note);
  describe(result);
  context_.loop.defer([link = link_, result = std::move(result)]() mutable {
    const auto call = link->callbacks.on_done;
    if (link->wanted && call) call(std::move(result));
  });
}

void Lane::disconnected() {
  if (recorder_) recorder_->finish();
  deliver(Status::disconnected, Reason::link_lost);
  over_ = true;
}

}  // namespace remote_exec

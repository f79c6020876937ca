#include "app/target/websocket_target.h"

#include <cstdlib>
#include <utility>

#include "base/environment.h"
#include "transport/websocket/ttyd_transport.h"

namespace app {

base::Result<Connection::Factory> connect_to_ttyd(event::EventLoop& loop, const std::string& target) {
  auto url = transport::parse_websocket_url(target);
  if (!url) return base::fail(url.error());
  transport::TtydTransport::Target wanted;
  wanted.url = *url;
  if (std::string file = base::environment("JMS_CA_FILE"); !file.empty()) wanted.ca_file = std::move(file);
  // A password that was asked for is kept for a reconnection, as long as the program runs.
  auto password = std::make_shared<std::string>(url->password);
  return Connection::Factory([&loop, wanted = std::move(wanted), password](
                                 base::Size size, transport::SshPrompter& prompter,
                                 Connection::Hooks hooks) -> base::Result<std::unique_ptr<transport::Transport>> {
    auto sized = wanted;
    sized.size = size;
    sized.url.password = *password;
    transport::TtydTransport::Hooks own;
    own.on_progress = std::move(hooks.on_progress);
    own.on_ready = std::move(hooks.on_ready);
    own.ask_password = [&prompter, password, hop = sized.url.user + "@" + sized.url.authority()](
                           const std::function<void(std::optional<std::string>)>& reply) {
      transport::SshQuestion question;
      question.kind = transport::SshQuestion::Kind::password;
      question.hop = hop;
      question.text = hop + "'s password: ";
      prompter.ask(question, [reply, password](std::optional<transport::Secret> answer) {
        if (!answer) return reply(std::nullopt);
        *password = answer->view();
        reply(*password);
      });
    };
    return std::make_unique<transport::TtydTransport>(loop, std::move(sized), std::move(own));
  });
}

}  // namespace app

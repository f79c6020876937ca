#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "agent/hooks.h"
#include "app/config/secret_source.h"
#include "base/result.h"
#include "panel/theme.h"
#include "safety/permission_rules.h"
#include "safety/redactor.h"
#include "terminal/hotkey.h"
#include "transport/ssh/openssh_engine.h"

namespace app {

/// A JumpServer: `[jumpserver]` is the one called "default", each `[[jumpserver.profiles]]` a further one.
struct JumpServerProfile {
  std::string name = "default";
  std::string server;  ///< https://jump.example.com
  std::string user;
  std::string org;         ///< Id or `default`, `root`; empty: the server's choice.
  std::string access_key;  ///< Its id, which is no secret.
  SecretSource secret_key, token, cookie, password, otp;
  std::string ca_file;
  std::string via;  ///< auto, ws, ssh
};

/// What answers the questions of SSH hosts in the operator's place: one `[[ssh.credentials]]`.
struct SshCredentials {
  std::string host;  ///< Patterns as in ssh_config: "web-*,!web-9"; of the name typed or the host reached.
  std::string user;  ///< Likewise; empty: any.
  SecretSource password, passphrase;
  std::string code_command;  ///< Prints a one-time code.
};

/// What the operator set in config.toml. Defaults stand here and nowhere else.
struct Config {
  terminal::Hotkey hotkey;                               ///< Ctrl+] unless set.
  bool hint = true;                                      ///< One line at the start that names the hotkey.
  std::string language;                                  ///< "en" or "zh"; empty: by LC_ALL, LC_MESSAGES, LANG.
  panel::ThemeName theme = panel::ThemeName::automatic;  ///< How panel and picker look; /theme changes it meanwhile.
  std::string shell;                                     ///< What `jms local` runs; empty: $SHELL.
  std::size_t scrollback_lines = 10'000;
  transport::EngineChoice ssh_engine = transport::EngineChoice::automatic;

  std::vector<SshCredentials> ssh_credentials;  ///< The first that fits a hop and has what is asked answers.

  std::vector<JumpServerProfile> jumpserver;

  // [exec]: how commands are run. Hosts are named as in permission rules: a glob, "node:/…" or "label:…".
  std::size_t exec_output_mb = 64;          ///< Kept of one long output.
  std::vector<std::string> exec_encodings;  ///< "HOST=GB18030": hosts whose text is not UTF-8.
  std::vector<std::string> exec_hooks;      ///< Hosts where the prompt may be made to report commands (level hook).
  std::vector<std::string> exec_quit_key;   ///< Hosts where Ctrl-\ follows a Ctrl-C that did not help.
  std::vector<std::string> exec_quiet;      ///< Hosts where a command is typed even if nothing answers as we know it.

  // [model]; empty: by environment, or the provider's own.
  std::string model_provider;  ///< anthropic, openai, offline
  std::string model_name;
  std::string model_fallback;  ///< Asked when the model stays overloaded.
  std::string model_base_url;
  std::string model_api_key_command;  ///< Prints the key: a password manager.
  std::string model_api_key_file;     ///< Holds the key; mode 0600.
  std::string model_ca_file;
  std::string model_effort;
  std::size_t model_max_tokens = 0;        ///< 0: by model.
  std::string model_thinking;              ///< auto, on, off
  std::string model_proxy;                 ///< Empty: HTTPS_PROXY and NO_PROXY of the environment.
  std::vector<std::string> model_headers;  ///< "Name: value", sent along with every request.
  std::vector<std::string> model_betas;    ///< Added to anthropic-beta.
  double model_connect_s = 10;
  double model_stall_note_s = 30;   ///< Silence after which the operator is told.
  double model_stall_abort_s = 90;  ///< Silence after which the request is given up.
  std::size_t model_retries = 4;    ///< Repeats of a request that failed and may be repeated.
  double model_total_s = 600;       ///< One request with all its repeats.
  double model_input_price = -1;    ///< US dollars per million tokens; negative: the built-in table.
  double model_output_price = -1;
  std::size_t model_context_window = 0;  ///< Tokens; 0: the built-in table.

  // What the assistant may do.
  safety::Mode mode = safety::Mode::Ask;  ///< Unless --mode or the host says otherwise.
  std::vector<safety::Rule> rules;        ///< [[rules]]
  std::vector<safety::HostMode> hosts;    ///< [[hosts]]
  std::vector<agent::Hook> hooks;         ///< [[hooks]]

  // [agent]
  std::size_t agent_max_rounds = 10;      ///< 0: the agent is switched off.
  double agent_time_limit_s = 300;        ///< For one question; 0: none.
  double agent_max_cost_usd = 0;          ///< For one conversation; 0: none. Needs known prices.
  std::size_t agent_max_tokens = 0;       ///< For one conversation, in and out; 0: none.
  std::size_t agent_context_lines = 120;  ///< Of the terminal, with each question.
  std::size_t agent_context_bytes = 8 * 1024;
  bool agent_local_command = false;  ///< Offer local_command also where no skill could need it.

  // [redact]
  std::vector<safety::CustomPattern> redact_patterns;  ///< [[redact.patterns]]
  std::vector<std::string> redact_exceptions;          ///< Patterns of values that stay readable.

  // [escapes]: what remote programs may ask of the operator's own terminal.
  bool escapes_clipboard = false;
  bool escapes_reports = false;
  bool escapes_window_changes = false;
  bool escapes_file_transfer = false;
};

/// $JMS_CONFIG_DIR/config.toml, else $XDG_CONFIG_HOME/jms/config.toml, else ~/.config/jms/config.toml.
std::string default_config_path();

/// Every key that stands by itself or in a plain table, "model.name"; for the documents' own test.
std::vector<std::string> config_keys();

/// Reads a config file. Every mistake is told with file, line and key; a key we do not know is a mistake.
base::Result<Config> load_config(const std::string& path);

/// The file named on the command line, which must exist, or the default one, which need not.
base::Result<Config> load_config_or_defaults(const std::string& named_path);

}  // namespace app

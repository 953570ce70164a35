//! What verbs build: a SPEC, and the settings that take the place of what it says.

use clap::Args;

use super::CommandError;
use mkns_spec as spec;
use mkns_spec::NetworkSpec;

/// The SPEC of a verb that takes one.
#[derive(Debug, Clone, Args)]
pub struct SpecArguments {
    /// The network: a TOML file, - for TOML on standard input, or a notation such as "MKNS(2,4,2,1)"
    spec: String,
    #[command(flatten)]
    settings: Settings,
}

impl SpecArguments {
    pub fn parse(&self) -> Result<NetworkSpec, CommandError> {
        self.settings.parse(&self.spec)
    }

    /// With one more setting, which counts for more than the others.
    pub fn parse_with(&self, setting: String) -> Result<NetworkSpec, CommandError> {
        let mut settings = self.settings.clone();
        let key = |setting: &str| {
            let key = setting.split('=').next().unwrap_or_default().trim();
            key.trim_start_matches("block.").to_owned()
        };
        settings.set.retain(|given| key(given) != key(&setting));
        settings.set.push(setting);
        settings.parse(&self.spec)
    }

    /// What was given for SPEC.
    pub fn text(&self) -> &str {
        &self.spec
    }

    /// As results and messages name it.
    pub fn title(&self) -> String {
        self.settings.title(&self.spec)
    }
}

/// Settings for the SPEC of a verb, or for all of them.
#[derive(Debug, Clone, Default, Args)]
pub struct Settings {
    /// Set a key of the spec, as its TOML would: flit_bits=128 (`block.` may be left out), name=lab or
    /// network.ports=8; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl Settings {
    pub fn parse(&self, text: &str) -> Result<NetworkSpec, CommandError> {
        Ok(spec::parse_with(text, &self.set)?)
    }

    /// Refuses settings where there is no spec for them.
    pub fn refused(&self, why: &str) -> Result<(), CommandError> {
        match self.set.first() {
            None => Ok(()),
            Some(setting) => {
                let option = format!("--set {setting}");
                Err(CommandError::no_effect(&option, &format!("here: {why}")))
            }
        }
    }

    /// The settings for one of several specs.
    pub fn of(&self, text: &str) -> SpecArguments {
        SpecArguments {
            spec: text.to_owned(),
            settings: self.clone(),
        }
    }

    /// A spec and the settings, as results and messages name them.
    pub fn title(&self, text: &str) -> String {
        text.to_owned() + &spec::settings_as_words(&self.set)
    }
}

//! Values of the options of a matrix: one, or a list of alternatives.

use toml::Value;

use mkns_jobs::runs_of;

/// Whether an option is given; not, where nothing is said.
pub fn flags(name: &str, value: Option<&Value>) -> Result<Vec<bool>, String> {
    let Some(value) = value else {
        return Ok(vec![false]);
    };
    let flag = |value: &Value| value.as_bool();
    list(name, value, flag, "true or false")
}

/// Numbers; none where nothing is said.
pub fn numbers(name: &str, value: Option<&Value>) -> Result<Vec<f64>, String> {
    let number = |value: &Value| {
        let whole = value.as_integer().map(|number| number as f64);
        value.as_float().or(whole)
    };
    value.map_or(Ok(Vec::new()), |value| {
        list(name, value, number, "a number")
    })
}

/// Some of these words; none where nothing is said.
pub fn words(name: &str, value: Option<&Value>, all: &[&str]) -> Result<Vec<String>, String> {
    let word = |value: &Value| {
        let word = value.as_str().filter(|word| all.contains(word));
        word.map(str::to_owned)
    };
    let wanted = all.join(" or ");
    value.map_or(Ok(Vec::new()), |value| list(name, value, word, &wanted))
}

/// Alternatives of texts that are given together: `"a"`, `["a", "b"]` for two alternatives, `[["a", "b"]]` for one.
pub fn together(name: &str, value: Option<&Value>) -> Result<Vec<Vec<String>>, String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let alternative = |value: &Value| match value {
        Value::Array(together) => together.iter().map(text).collect::<Option<Vec<_>>>(),
        value => text(value).map(|text| vec![text]),
    };
    value.map_or(Ok(vec![Vec::new()]), |value| {
        list(name, value, alternative, "text or a list of texts")
    })
}

/// [`together`], or a table such as `{ flit_bits = [64, 128], virtual_channels = [1, 2] }`, whose every combination is
/// an alternative.
pub fn settings(name: &str, value: Option<&Value>) -> Result<Vec<Vec<String>>, String> {
    let Some(Value::Table(table)) = value else {
        return together(name, value);
    };
    let values = |value: &Value| match value {
        Value::Array(list) => list.clone(),
        value => vec![value.clone()],
    };
    let axes: Vec<(&String, Vec<Value>)> = table
        .iter()
        .map(|(key, value)| (key, values(value)))
        .collect();
    if let Some((key, _)) = axes.iter().find(|(_, values)| values.is_empty()) {
        return Err(format!("`{name}.{key}` is empty: the matrix has no run"));
    }
    runs_of(axes.iter().map(|(_, values)| values.len() as u64))?;
    let mut all = vec![Vec::new()];
    for (key, values) in axes {
        let longer = |settings: &Vec<String>| {
            let settings = settings.clone();
            let with = move |value: &Value| {
                let setting = format!("{key}={value}");
                [settings.clone(), vec![setting]].concat()
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Ok(all)
}

/// A value, or a list of values with at least one.
fn list<T>(
    name: &str,
    value: &Value,
    read: impl Fn(&Value) -> Option<T>,
    wanted: &str,
) -> Result<Vec<T>, String> {
    let values = match value {
        Value::Array(list) => list.as_slice(),
        value => std::slice::from_ref(value),
    };
    if values.is_empty() {
        return Err(format!("`{name}` is empty: the matrix has no run"));
    }
    let read = values.iter().map(|value| {
        let wrong = || format!("`{name}` is {value}, but it must be {wanted}, or a list of these");
        read(value).ok_or_else(wrong)
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        let table: toml::Table = format!("x = {text}").parse().expect("TOML");
        table["x"].clone()
    }

    #[test]
    fn users_5_settings_are_alternatives_or_every_combination_of_a_table() {
        let read = |text: &str| settings("set", Some(&value(text)));
        let of = |all: &[&[&str]]| {
            let one = |one: &&[&str]| one.iter().map(|&word| word.to_owned()).collect();
            Ok(all.iter().map(one).collect::<Vec<Vec<String>>>())
        };
        assert_eq!(settings("set", None), of(&[&[]]));
        assert_eq!(read(r#""a=1""#), of(&[&["a=1"]]));
        assert_eq!(read(r#"["a=1", "a=2"]"#), of(&[&["a=1"], &["a=2"]]));
        assert_eq!(read(r#"[[], ["a=1", "b=2"]]"#), of(&[&[], &["a=1", "b=2"]]));
        assert_eq!(
            read(r#"{ a = [1, 2], b = ["x", "y"] }"#),
            of(&[
                &["a=1", r#"b="x""#],
                &["a=1", r#"b="y""#],
                &["a=2", r#"b="x""#],
                &["a=2", r#"b="y""#],
            ])
        );
        for (text, fact) in [
            ("[]", "`set` is empty"),
            ("7", "`set` is 7, but it must be text"),
            ("[[7]]", "`set` is [7]"),
            ("{ a = [] }", "`set.a` is empty"),
        ] {
            let found = read(text).expect_err("no settings");
            assert!(found.starts_with(fact), "{found}");
        }
    }

    #[test]
    fn users_5_values_are_one_or_a_list() {
        assert_eq!(flags("manager", None), Ok(vec![false]));
        let both = value("[false, true]");
        assert_eq!(flags("manager", Some(&both)), Ok(vec![false, true]));
        assert_eq!(
            numbers("cable_errors", Some(&value("1e-5"))),
            Ok(vec![1e-5])
        );
        let all = &["verilator", "icarus"];
        let icarus = words("simulator", Some(&value("\"icarus\"")), all);
        assert_eq!(icarus, Ok(vec!["icarus".to_owned()]));
        let fact = words("simulator", Some(&value("[\"questa\"]")), all);
        let wanted =
            "`simulator` is \"questa\", but it must be verilator or icarus, or a list of these";
        assert_eq!(fact, Err(wanted.to_owned()));
    }
}

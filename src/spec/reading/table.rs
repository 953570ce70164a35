//! A TOML table being read: typed access by key, unknown keys refused, every fault with its place.
//!
//! Knows TOML and findings, but no key of any spec.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::data::{Limits, Number};
use crate::findings::Findings;
use mkns_diag::{Code, nearest};

pub type Value<'i> = Spanned<DeValue<'i>>;

/// A table being read: remembers which keys were asked for, so that the others are unknown.
pub struct Table<'a, 'i> {
    table: &'a DeTable<'i>,
    path: String,
    known: Vec<&'static str>,
}

impl<'a, 'i> Table<'a, 'i> {
    pub fn new(table: &'a DeTable<'i>, path: &str) -> Self {
        Self {
            table,
            path: path.to_owned(),
            known: Vec::new(),
        }
    }

    fn field(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    pub fn value(&mut self, key: &'static str, findings: &mut Findings) -> Option<&'a Value<'i>> {
        self.known.push(key);
        let value = self.table.get(key)?;
        findings.locate(self.field(key), value.span());
        Some(value)
    }

    pub fn string(&mut self, key: &'static str, findings: &mut Findings) -> Option<String> {
        match self.value(key, findings)?.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            other => {
                wrong_type(&self.field(key), "a string", other, findings);
                None
            }
        }
    }

    /// What a string names of these, if there is one; none where it names something else.
    pub fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&str, T)],
        findings: &mut Findings,
    ) -> Option<Option<T>> {
        let Some(name) = self.string(key, findings) else {
            return Some(None);
        };
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let at = choice(&self.field(key), &name, &names, findings)?;
        Some(Some(choices[at].1))
    }

    pub fn boolean(&mut self, key: &'static str, findings: &mut Findings) -> Option<bool> {
        match self.value(key, findings)?.get_ref() {
            DeValue::Boolean(value) => Some(*value),
            other => {
                wrong_type(&self.field(key), "`true` or `false`", other, findings);
                None
            }
        }
    }

    pub fn table(&mut self, key: &'static str, findings: &mut Findings) -> Option<Table<'a, 'i>> {
        match self.value(key, findings)?.get_ref() {
            DeValue::Table(table) => Some(Table::new(table, &self.field(key))),
            other => {
                wrong_type(&self.field(key), "a table", other, findings);
                None
            }
        }
    }

    /// A whole number; its range is judged later, except that it must fit into 32 bits.
    pub fn number(
        &mut self,
        key: &'static str,
        limits: Limits,
        findings: &mut Findings,
    ) -> Option<u32> {
        let field = self.field(key);
        let value = self.value(key, findings)?;
        whole_number(&field, value.get_ref(), limits, findings)
    }

    /// All numbers of `target` that are written.
    pub fn fill<T>(&mut self, target: &mut T, numbers: &[Number<T>], findings: &mut Findings) {
        for number in numbers {
            if let Some(value) = self.number(number.name, number.limits, findings) {
                (number.set)(target, value);
            }
        }
    }

    pub fn required_number(
        &mut self,
        key: &'static str,
        limits: Limits,
        findings: &mut Findings,
    ) -> Option<u32> {
        if !self.table.contains_key(key) {
            self.known.push(key);
            missing(&self.field(key), &format!("`{key}`"), findings);
            return None;
        }
        self.number(key, limits, findings)
    }

    /// As [`Self::numbers`]; `example` is what to add where the list is missing.
    pub fn required_numbers(
        &mut self,
        key: &'static str,
        limits: Limits,
        example: &str,
        findings: &mut Findings,
    ) -> Option<Vec<u32>> {
        if !self.table.contains_key(key) {
            missing(&self.field(key), example, findings);
        }
        self.numbers(key, limits, findings)
    }

    /// A list of whole numbers, each judged later.
    pub fn numbers(
        &mut self,
        key: &'static str,
        limits: Limits,
        findings: &mut Findings,
    ) -> Option<Vec<u32>> {
        let field = self.field(key);
        let value = self.value(key, findings)?;
        let DeValue::Array(entries) = value.get_ref() else {
            wrong_type(&field, "a list of whole numbers", value.get_ref(), findings);
            return None;
        };
        let entries = entries.iter().enumerate().map(|(at, entry)| {
            let field = format!("{field}[{at}]");
            findings.locate(field.as_str(), entry.span());
            whole_number(&field, entry.get_ref(), limits, findings)
        });
        let numbers: Vec<_> = entries.collect();
        numbers.into_iter().collect()
    }

    /// Refuses the keys that nobody asked for.
    pub fn finish(self, findings: &mut Findings) {
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if self.known.contains(&name) {
                continue;
            }
            let place = match self.path.as_str() {
                "" => "at the top of the file".to_owned(),
                path => format!("in `{path}`"),
            };
            let remedy = match nearest(name, self.known.iter().copied()) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("known keys: {}", self.known.join(", ")),
            };
            let fact = format!("unknown key `{name}` {place}");
            findings.report_at(key.span(), Code::UnknownKey, fact, &remedy);
        }
    }
}

/// A whole number that fits into 32 bits.
fn whole_number(
    field: &str,
    value: &DeValue,
    limits: Limits,
    findings: &mut Findings,
) -> Option<u32> {
    match value {
        DeValue::Integer(digits) => {
            let number = u32::from_str_radix(digits.as_str(), digits.radix()).ok();
            if number.is_none() {
                findings.out_of_range(field, digits.as_str(), limits);
            }
            number
        }
        other => {
            wrong_type(field, "a whole number", other, findings);
            None
        }
    }
}

/// The index of `name` among `names`.
pub fn choice(field: &str, name: &str, names: &[&str], findings: &mut Findings) -> Option<usize> {
    let at = names.iter().position(|known| *known == name);
    if at.is_none() {
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let all = quoted.join(" or ");
        let remedy = match nearest(name, names.iter().copied()) {
            Some(known) => format!("did you mean \"{known}\"?"),
            None => format!("use {all}"),
        };
        let fact = format!("{field} = \"{name}\", but it must be {all}");
        findings.report(field, Code::UnknownChoice, fact, remedy);
    }
    at
}

pub fn wrong_type(field: &str, expected: &str, found: &DeValue, findings: &mut Findings) {
    let found = match found {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    };
    let fact = format!("{field} must be {expected}, here it is {found}");
    findings.report(field, Code::WrongType, fact, format!("write {expected}"));
}

pub fn missing(field: &str, example: &str, findings: &mut Findings) {
    let remedy = format!("add {example}; see docs/reference/spec.md");
    findings.report(
        field,
        Code::MissingKey,
        format!("{field} is missing"),
        remedy,
    );
}

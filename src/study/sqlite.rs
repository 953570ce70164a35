//! The rows as a table of an SQLite database.

use std::path::Path;

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};

use super::rows::{Cell, Rows};

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Nothing => ToSqlOutput::Owned(Value::Null),
            Self::Integer(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Self::Real(number) => ToSqlOutput::Owned(Value::Real(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

/// Type of a column: that of its first value.
fn type_of(rows: &Rows, column: usize) -> &'static str {
    let mut cells = rows.rows.iter().map(|row| &row[column]);
    match cells.find(|cell| **cell != Cell::Nothing) {
        Some(Cell::Integer(_)) => "INTEGER",
        Some(Cell::Real(_)) => "REAL",
        _ => "TEXT",
    }
}

fn name(column: &str) -> String {
    format!("\"{}\"", column.replace('"', "\"\""))
}

/// Writes the table `runs` of a new database at `path`: beside it first, then it takes the name.
///
/// # Errors
/// When it cannot be written; a database that is there stays.
pub fn write_sqlite(rows: &Rows, path: &Path) -> Result<(), String> {
    let folder = mkns_scratch::folder_of(path);
    let scratch =
        mkns_scratch::Scratch::new_in("sqlite", folder).map_err(|error| error.to_string())?;
    let new = scratch.path().join("new.sqlite");
    fill(rows, &new).map_err(|error| error.to_string())?;
    std::fs::rename(new, path).map_err(|error| error.to_string())
}

fn fill(rows: &Rows, path: &Path) -> rusqlite::Result<()> {
    let mut database = Connection::open(path)?;
    let columns = rows.columns.iter().enumerate();
    let columns: Vec<String> = columns
        .map(|(at, column)| format!("{} {}", name(column), type_of(rows, at)))
        .collect();
    database.execute(&format!("CREATE TABLE runs ({})", columns.join(", ")), [])?;
    let places = vec!["?"; rows.columns.len()].join(", ");
    let transaction = database.transaction()?;
    {
        let mut insert = transaction.prepare(&format!("INSERT INTO runs VALUES ({places})"))?;
        for row in &rows.rows {
            insert.execute(params_from_iter(row))?;
        }
    }
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_database_holds_what_the_rows_say() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs.sqlite");
        let text = |text: &str| Cell::Text(text.to_owned());
        let rows = Rows {
            columns: ["spec", "a \"load\"", "packets"]
                .map(str::to_owned)
                .to_vec(),
            rows: vec![
                vec![text("MKNS(2,4,2,1)"), Cell::Real(0.25), Cell::Integer(7)],
                vec![text("torus(4x4,1)"), Cell::Real(0.5), Cell::Nothing],
            ],
            statuses: BTreeMap::new(),
        };
        for _ in 0..2 {
            write_sqlite(&rows, &path).expect("a writable folder");
        }
        let database = Connection::open(&path).expect("a database");
        let query = "SELECT spec, \"a \"\"load\"\"\", packets FROM runs ORDER BY 2";
        let mut query = database.prepare(query).expect("these columns");
        let read = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        let read: Vec<(String, f64, Option<i64>)> =
            read.expect("rows").map(|row| row.expect("a row")).collect();
        let wanted = vec![
            ("MKNS(2,4,2,1)".to_owned(), 0.25, Some(7)),
            ("torus(4x4,1)".to_owned(), 0.5, None),
        ];
        assert_eq!(read, wanted);
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("a folder").count(),
            1
        );
    }
}

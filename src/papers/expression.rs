//! Values of the formulas that papers print in tables: sums, differences and products of numbers, `m`
//! and `N`, with parentheses and products written without a sign (`1+(m-1)m`, `N-(m-2)`, `2m`).

/// The value for m and N; `None` when the text is no such formula.
pub fn value(text: &str, m: i64, n: i64) -> Option<i64> {
    let letters = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    let mut reader = Reader {
        letters,
        at: 0,
        m,
        n,
    };
    let value = reader.sum()?;
    (reader.at == reader.letters.len()).then_some(value)
}

struct Reader {
    letters: Vec<char>,
    at: usize,
    m: i64,
    n: i64,
}

impl Reader {
    fn next_is(&self, letter: char) -> bool {
        self.letters.get(self.at) == Some(&letter)
    }

    fn sum(&mut self) -> Option<i64> {
        let mut sum = self.product()?;
        loop {
            let sign = match self.letters.get(self.at) {
                Some('+') => 1,
                Some('-') => -1,
                _ => return Some(sum),
            };
            self.at += 1;
            sum += sign * self.product()?;
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut product = self.factor()?;
        while let Some(factor) = self.factor() {
            product *= factor;
        }
        Some(product)
    }

    /// A number, a letter or a sum in parentheses; nothing is read when there is none.
    fn factor(&mut self) -> Option<i64> {
        match self.letters.get(self.at)? {
            'm' => {
                self.at += 1;
                Some(self.m)
            }
            'N' => {
                self.at += 1;
                Some(self.n)
            }
            '(' => {
                self.at += 1;
                let sum = self.sum()?;
                if !self.next_is(')') {
                    return None;
                }
                self.at += 1;
                Some(sum)
            }
            letter if letter.is_ascii_digit() => {
                let digits = self.letters[self.at..].iter();
                let digits: String = digits
                    .take_while(|letter| letter.is_ascii_digit())
                    .collect();
                self.at += digits.len();
                digits.parse().ok()
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn printed_formulas_have_their_values() {
        let at = |text| value(text, 5, 25);
        assert_eq!(at("1+(m-1)m"), Some(21));
        assert_eq!(at("N-(m-2)"), Some(22));
        assert_eq!(at("2m-1"), Some(9));
        assert_eq!(at("N-m-1"), Some(19));
        assert_eq!([at(""), at("m+"), at("(m"), at("x"), at("m)")], [None; 5]);
    }
}

//! Ways to write a number as a product: the sizes of grids.

/// All lists of `least`…`most` factors of at least 2 whose product is `number`, each list falling.
pub fn falling(number: u32, least: usize, most: usize) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    extend(number, number, &mut Vec::new(), most, &mut found);
    found.retain(|list| list.len() >= least);
    found
}

fn extend(rest: u32, largest: u32, list: &mut Vec<u32>, most: usize, found: &mut Vec<Vec<u32>>) {
    if rest == 1 {
        found.push(list.clone());
        return;
    }
    if list.len() == most {
        return;
    }
    for factor in (2..=largest.min(rest))
        .rev()
        .filter(|factor| rest.is_multiple_of(*factor))
    {
        list.push(factor);
        extend(rest / factor, factor, list, most, found);
        list.pop();
    }
}

/// The lists that begin with a factor of `lists` and go on with the rest of it, each once.
pub fn with_each_first(lists: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    for list in lists {
        for at in 0..list.len() {
            if at > 0 && list[at] == list[at - 1] {
                continue;
            }
            let mut moved = list.clone();
            let first = moved.remove(at);
            moved.insert(0, first);
            found.push(moved);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_listed_once() {
        let found = falling(24, 2, 3);
        let wanted = [
            vec![12, 2],
            vec![8, 3],
            vec![6, 4],
            vec![6, 2, 2],
            vec![4, 3, 2],
        ];
        assert_eq!(found, wanted);
        assert_eq!(falling(7, 1, 4), [vec![7]]);
        assert_eq!(falling(7, 2, 4), Vec::<Vec<u32>>::new());
    }

    #[test]
    fn each_factor_comes_first_once() {
        let found = with_each_first(&[vec![6, 2, 2]]);
        assert_eq!(found, [vec![6, 2, 2], vec![2, 6, 2]]);
    }
}

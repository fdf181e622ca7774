//! Dependency waves: layers of a set of items in which each item waits only for earlier layers.
//!
//! Layers say what can run side by side as far as dependencies go. Which items form the set is decided in
//! [`super::batch`], and whether two of a layer touch the same files in [`super::resource`].

use std::collections::HashMap;

use super::Item;

/// The layers, first one first and each in input order, and the items that no layer can take: members of a cycle and
/// whatever waits for them, in input order too. Predecessors outside `items` are ignored.
///
/// Linear in items and dependencies.
pub fn layers<'a>(items: &[&'a Item]) -> (Vec<Vec<&'a Item>>, Vec<&'a Item>) {
    let positions: HashMap<&str, usize> = items
        .iter()
        .enumerate()
        .map(|(at, item)| (item.item_id.as_str(), at))
        .collect();
    let waits_for: Vec<Option<Vec<usize>>> = items
        .iter()
        .map(|item| {
            Some(
                item.depends_on
                    .iter()
                    .filter_map(|id| positions.get(id.as_str()).copied())
                    .collect(),
            )
        })
        .collect();
    let depths = depths(&waits_for);
    let unlayered = items
        .iter()
        .zip(&depths)
        .filter(|(_, depth)| depth.is_none())
        .map(|(&item, _)| item)
        .collect();
    (by_depth(items.iter().copied().zip(depths)), unlayered)
}

/// The length of the longest chain of predecessors below each node. `waits_for[n]` holds the nodes that node `n`
/// waits for, or `None` when it waits for something that never comes. A node without a depth can never be reached:
/// it is such a one, is in a cycle, or waits for a node without a depth.
pub(super) fn depths(waits_for: &[Option<Vec<usize>>]) -> Vec<Option<usize>> {
    let mut dependants = vec![Vec::new(); waits_for.len()];
    let mut open = vec![0; waits_for.len()];
    let mut layer = Vec::new();
    for (node, predecessors) in waits_for.iter().enumerate() {
        let Some(predecessors) = predecessors else {
            continue;
        };
        open[node] = predecessors.len();
        for &predecessor in predecessors {
            dependants[predecessor].push(node);
        }
        if predecessors.is_empty() {
            layer.push(node);
        }
    }

    let mut depths = vec![None; waits_for.len()];
    let mut depth = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for node in layer {
            depths[node] = Some(depth);
            for &dependant in &dependants[node] {
                open[dependant] -= 1;
                if open[dependant] == 0 {
                    next.push(dependant);
                }
            }
        }
        layer = next;
        depth += 1;
    }
    depths
}

/// The items that have a depth, by depth, keeping their order.
pub(super) fn by_depth<'a>(
    items: impl Iterator<Item = (&'a Item, Option<usize>)>,
) -> Vec<Vec<&'a Item>> {
    let mut layers: Vec<Vec<&Item>> = Vec::new();
    for (item, depth) in items {
        let Some(depth) = depth else { continue };
        if layers.len() <= depth {
            layers.resize_with(depth + 1, Vec::new);
        }
        layers[depth].push(item);
    }
    layers
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn item(item_id: &str, depends_on: &[&str]) -> Item {
        Item {
            depends_on: depends_on.iter().map(|&id| id.to_owned()).collect(),
            ..Item::new(item_id, item_id)
        }
    }

    fn ids(items: &[&Item]) -> Vec<String> {
        items.iter().map(|item| item.item_id.clone()).collect()
    }

    fn layered(items: &[Item]) -> (Vec<Vec<String>>, Vec<String>) {
        let items: Vec<&Item> = items.iter().collect();
        let (layers, unlayered) = layers(&items);
        (
            layers.iter().map(|layer| ids(layer)).collect(),
            ids(&unlayered),
        )
    }

    #[test]
    fn longest_chain_decides_and_input_order_is_kept() {
        let (layers, unlayered) = layered(&[
            item("d", &["a", "c"]),
            item("b", &[]),
            item("c", &["a"]),
            item("a", &["elsewhere"]),
        ]);
        assert_eq!(layers, [vec!["b", "a"], vec!["c"], vec!["d"]]);
        assert!(unlayered.is_empty());
        assert_eq!(layered(&[]), (vec![], vec![]));
    }

    #[test]
    fn cycles_and_what_waits_for_them_are_left_over() {
        let (layers, unlayered) = layered(&[
            item("waits", &["x", "free"]),
            item("x", &["y"]),
            item("y", &["x"]),
            item("self", &["self"]),
            item("free", &[]),
        ]);
        assert_eq!(layers, [vec!["free"]]);
        assert_eq!(unlayered, ["waits", "x", "y", "self"]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let items: Vec<Item> = (0..50_000)
            .rev()
            .map(|n: u32| match n {
                0 => item("0", &[]),
                _ => item(&n.to_string(), &[&(n - 1).to_string()]),
            })
            .collect();
        let (layers, unlayered) = layered(&items);
        assert_eq!((layers.len(), unlayered.len()), (50_000, 0));
    }

    proptest! {
        #[test]
        fn a_partition_in_which_everyone_waits_for_earlier_layers(
            edges in prop::collection::vec(prop::collection::vec(0..24_usize, 0..4), 0..20),
        ) {
            let items: Vec<Item> = edges
                .iter()
                .enumerate()
                .map(|(n, to)| Item {
                    depends_on: to.iter().map(|to| format!("n{to}")).collect(),
                    ..Item::new(format!("n{n}"), "")
                })
                .collect();
            let (layers, unlayered) = layered(&items);

            let mut found: Vec<&String> = layers.iter().flatten().chain(&unlayered).collect();
            found.sort();
            let mut expected: Vec<&String> = items.iter().map(|item| &item.item_id).collect();
            expected.sort();
            prop_assert_eq!(found, expected);
            prop_assert!(layers.iter().all(|layer| !layer.is_empty()));

            let depth_of = |id: &str| layers.iter().position(|layer| layer.iter().any(|member| member == id));
            for item in &items {
                let inside: Vec<&String> =
                    item.depends_on.iter().filter(|id| items.iter().any(|other| other.item_id == **id)).collect();
                match depth_of(&item.item_id) {
                    Some(depth) => {
                        let waited = inside.iter().map(|id| depth_of(id));
                        prop_assert!(waited.clone().all(|earlier| earlier.is_some_and(|earlier| earlier < depth)));
                        prop_assert_eq!(waited.flatten().max().map_or(0, |deepest| deepest + 1), depth);
                    }
                    None => prop_assert!(inside.iter().any(|id| unlayered.contains(id))),
                }
            }
        }
    }
}

//! Who has which share of the cluster, who has used how much, and what that makes of each user's fair share.
//!
//! Two ways, as a site has set it. *Fair tree*: at each level of the tree associations stand in order of their share of what
//! their siblings have, divided by their share of what these used; the whole tree is gone through in that order, and a user's
//! factor is how far in front that is. *Classic*: 2 to the minus of what was used over what was due, each level's usage mixed
//! with its parent's.
//!
//! Source: Slurm's guides "Fair Tree" and "Classic Fairshare"; `fair_tree.c` and `priority_multifactor.c` of 22.05.

/// How much of its parent's share an association is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shares {
    /// So much beside its siblings'.
    Number(u64),
    /// Whatever its parent has (`fairshare=parent`).
    Parent,
}

/// An account or a user in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Association {
    /// Its account, by place; the root has none.
    pub parent: Option<u32>,
    /// Its share.
    pub shares: Shares,
    /// Whether it is a user: users have factors, accounts have children.
    pub is_user: bool,
}

/// The tree with what was used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShareTree {
    associations: Vec<Association>,
    /// By association: by it and all below it.
    usage: Vec<f64>,
    children: Vec<Vec<u32>>,
    users: usize,
    is_fair_tree: bool,
}

impl ShareTree {
    /// Associations, parents before children or after, and what each has used with all below it.
    pub fn new(associations: Vec<Association>, usage: Vec<f64>, is_fair_tree: bool) -> Self {
        assert_eq!(associations.len(), usage.len(), "every association has used something, or nothing");
        let mut children = vec![Vec::new(); associations.len()];
        for (place, association) in (0_u32..).zip(&associations) {
            if let Some(siblings) = association.parent.and_then(|parent| children.get_mut(parent as usize)) {
                siblings.push(place);
            }
        }
        let users = associations.iter().filter(|association| association.is_user).count();
        Self { associations, usage, children, users, is_fair_tree }
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.associations.is_empty()
    }

    /// What each has used.
    pub fn usage(&self) -> &[f64] {
        &self.usage
    }

    /// Everybody's usage times this.
    pub fn multiply(&mut self, by: f64) {
        for usage in &mut self.usage {
            *usage *= by;
        }
    }

    /// One has used so much more, and so have all above it.
    pub fn add(&mut self, association: u32, used: f64) {
        let mut place = Some(association);
        // A tree is not deeper than it is large, even if what was read is no tree.
        for _ in 0..=self.associations.len() {
            let Some(here) = place.filter(|here| (*here as usize) < self.usage.len()) else { return };
            self.usage[here as usize] += used;
            place = self.associations[here as usize].parent;
        }
    }

    /// Everybody's factor, from 0 to 1; of accounts 0.
    pub fn factors(&self) -> Vec<f64> {
        let mut factors = vec![0.0; self.associations.len()];
        if self.is_fair_tree {
            let mut ranks = Ranks { next: self.users, last: self.users };
            let roots = self.roots();
            self.rank(&roots, &self.levels(), &mut ranks, &mut factors, 0);
        } else {
            for root in self.roots() {
                self.classic(root, 1.0, None, &mut factors, 0);
            }
        }
        factors
    }

    fn roots(&self) -> Vec<u32> {
        let is_root = |(_, association): &(u32, &Association)| association.parent.is_none();
        let roots: Vec<u32> = (0_u32..).zip(&self.associations).filter(is_root).map(|(place, _)| place).collect();
        // What is above everybody is nobody's share.
        roots.iter().flat_map(|root| self.below(*root)).collect()
    }

    /// The children, those of a child that has its parent's share in its place.
    fn below(&self, place: u32) -> Vec<u32> {
        let mut below = Vec::new();
        for &child in &self.children[place as usize] {
            let association = &self.associations[child as usize];
            if association.shares == Shares::Parent && !association.is_user && below.len() < self.associations.len() {
                below.extend(self.below(child));
            } else {
                below.push(child);
            }
        }
        below
    }

    fn shares(&self, place: u32) -> f64 {
        match self.associations[place as usize].shares {
            Shares::Number(shares) => shares as f64,
            Shares::Parent => 1.0,
        }
    }

    /// By association: its due over its use, each beside its siblings'. Infinite for who has used nothing.
    fn levels(&self) -> Vec<f64> {
        let mut levels = vec![0.0; self.associations.len()];
        for parent in (0_u32..).take(self.associations.len()) {
            let siblings = self.below(parent);
            let due: f64 = siblings.iter().map(|place| self.shares(*place)).sum();
            let used: f64 = siblings.iter().map(|place| self.usage[*place as usize]).sum();
            for place in siblings {
                let (shares, usage) = (self.shares(place), self.usage[place as usize]);
                levels[place as usize] = match (shares > 0.0, usage > 0.0) {
                    (false, _) => 0.0,
                    (true, false) => f64::INFINITY,
                    (true, true) => (shares / due) / (usage / used),
                };
            }
        }
        levels
    }

    /// Goes through siblings in order of their due over their use, and down into accounts.
    fn rank(&self, siblings: &[u32], levels: &[f64], ranks: &mut Ranks, factors: &mut [f64], depth: usize) {
        if depth > self.associations.len() {
            return;
        }
        let is_user = |place: u32| self.associations[place as usize].is_user;
        let mut order: Vec<(f64, u32)> = siblings.iter().map(|place| (levels[*place as usize], *place)).collect();
        order.sort_by(|(one, a), (other, b)| other.total_cmp(one).then(is_user(*b).cmp(&is_user(*a))).then(a.cmp(b)));
        let mut place = 0;
        while let Some(&(value, first)) = order.get(place) {
            let tied: Vec<u32> = order[place..]
                .iter()
                .take_while(|(other, _)| other.total_cmp(&value).is_eq())
                .map(|(_, place)| *place)
                .collect();
            place += tied.len();
            debug_assert!(tied.first() == Some(&first), "ties are next to each other");
            // Users who are equal have the rank of the first of them; accounts that are equal are one.
            ranks.last = ranks.next;
            let mut merged = Vec::new();
            for tied in tied {
                if is_user(tied) {
                    factors[tied as usize] = ranks.last as f64 / self.users.max(1) as f64;
                    ranks.next -= 1;
                } else {
                    merged.extend(self.below(tied));
                }
            }
            if !merged.is_empty() {
                self.rank(&merged, levels, ranks, factors, depth + 1);
            }
        }
    }

    /// Works out effective usage downwards, and the factor of each user.
    fn classic(&self, place: u32, share_above: f64, used_above: Option<f64>, factors: &mut [f64], depth: usize) {
        if depth > self.associations.len() {
            return;
        }
        let association = &self.associations[place as usize];
        let siblings = match association.parent {
            Some(parent) => self.children[parent as usize].as_slice(),
            None => std::slice::from_ref(&place),
        };
        let due: f64 = siblings.iter().map(|place| self.shares(*place)).sum();
        let total: f64 = self.total_usage();
        let part = if due > 0.0 { self.shares(place) / due } else { 0.0 };
        let own = if total > 0.0 { self.usage[place as usize] / total } else { 0.0 };
        let (share, used) = match association.shares {
            Shares::Parent => (share_above, used_above.unwrap_or(own)),
            Shares::Number(_) => (share_above * part, used_above.map_or(own, |above| own + (above - own) * part)),
        };
        if association.is_user {
            factors[place as usize] = if share > 0.0 { 2.0_f64.powf(-used / share) } else { 0.0 };
        }
        for &child in &self.children[place as usize] {
            self.classic(child, share, Some(used), factors, depth + 1);
        }
    }

    fn total_usage(&self) -> f64 {
        let roots = self.associations.iter().zip(&self.usage).filter(|(association, _)| association.parent.is_none());
        roots.map(|(_, usage)| *usage).sum()
    }
}

/// How many users are still to be ranked, and the rank of the one before.
struct Ranks {
    next: usize,
    last: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(parent: Option<u32>, shares: u64) -> Association {
        Association { parent, shares: Shares::Number(shares), is_user: false }
    }

    fn user(parent: u32, shares: u64) -> Association {
        Association { parent: Some(parent), shares: Shares::Number(shares), is_user: true }
    }

    /// A root with two accounts of equal shares; the first has used three times as much.
    fn tree(is_fair_tree: bool) -> ShareTree {
        let associations = vec![
            account(None, 1),
            account(Some(0), 1),
            account(Some(0), 1),
            user(1, 1),
            user(1, 1),
            user(2, 1),
            user(2, 3),
        ];
        ShareTree::new(associations, vec![400.0, 300.0, 100.0, 300.0, 0.0, 50.0, 50.0], is_fair_tree)
    }

    #[test]
    fn in_a_fair_tree_every_user_of_the_better_account_comes_first() {
        // Account 2 is due a half and used a quarter; in it user 6 is due three quarters and used a half.
        assert_eq!(tree(true).factors()[3..], [0.25, 0.5, 0.75, 1.0]);
    }

    #[test]
    fn equal_users_have_the_same_factor_and_equal_accounts_are_one() {
        let associations =
            vec![account(None, 1), account(Some(0), 1), account(Some(0), 1), user(1, 1), user(2, 1), user(2, 1)];
        let nobody = ShareTree::new(associations.clone(), vec![0.0; 6], true);
        assert_eq!(nobody.factors()[3..], [1.0, 1.0, 1.0]);
        // Both accounts used the same, so their users are ranked together, each by its place in its own account.
        let used = ShareTree::new(associations, vec![200.0, 100.0, 100.0, 100.0, 90.0, 10.0], true);
        let third = 1.0 / 3.0;
        assert_eq!(used.factors()[3..], [2.0 * third, third, 1.0]);
    }

    #[test]
    fn classic_halves_for_every_share_that_was_used() {
        // User 3 used 3/4 of everything, its account too; effective 3/4 + (3/4 - 3/4) / 2, due 1/4.
        let factors = tree(false).factors();
        assert!((factors[3] - 2.0_f64.powf(-3.0)).abs() < 1e-9, "{factors:?}");
        // User 4 used nothing, and half of its account's use counts for it.
        assert!((factors[4] - 2.0_f64.powf(-0.375 / 0.25)).abs() < 1e-9);
    }

    #[test]
    fn what_a_user_uses_counts_for_all_above_it_and_what_is_no_tree_ends() {
        let mut tree = tree(true);
        tree.add(3, 10.0);
        assert_eq!(tree.usage()[..4], [410.0, 310.0, 100.0, 310.0]);
        let circle = vec![account(Some(1), 1), account(Some(0), 1), user(0, 1)];
        let mut circle = ShareTree::new(circle, vec![0.0; 3], true);
        circle.add(2, 1.0);
        assert_eq!(circle.factors(), [0.0, 0.0, 0.0]);
    }
}

// Package rating turns the results of games into numbers that can be trusted: ratings of many players with intervals (Fit),
// and a test that ends a match of two players as soon as it is decided (SPRT). It knows nothing of the games themselves.
//
// # The model
//
// Player i has a strength θᵢ, and the result of a game of A and B is drawn from
//
//	P(A wins) = e^(d/2) / z,  P(draw) = ν / z,  P(B wins) = e^(-d/2) / z,  z = e^(d/2) + ν + e^(-d/2),
//
// where d = θ_A - θ_B + fη, and f is +1 when A moved first, -1 when B did, and 0 when nobody did. This is the model of Bradley
// and Terry (Biometrika 39, 1952) with the draws of Davidson (Journal of the American Statistical Association 65, 1970) and
// the advantage of moving first of Davidson and Beaver (Biometrics 33, 1977). Elo is θ·400/ln 10: of two players that are 400
// apart, the stronger one wins ten times as often as it loses.
//
// Davidson's draws were chosen, and not those of Rao and Kupper (same journal, 62, 1967), because there two draws are worth
// exactly a win and a loss, as in the score of a match: in a complete round robin the order of the ratings is the order of
// the scores. (With Rao and Kupper a single draw is worth that much.) It also makes the likelihood that of an exponential
// family, with one optimum, which Newton's method finds in a few steps.
//
// # The prior
//
// A player that wins all its games has no finite rating of maximum likelihood, and neither has a draw rate without draws or
// with draws alone. So half a win and half a loss are added between each two players that met, which only know θ and not ν
// and η; half a draw and half a decided game between equal players; and half a win and half a loss of whoever moves first.
// In a match of two players without draws the first is the prior of Jeffreys, which takes the largest part of the bias away
// (Firth, Biometrika 80, 1993). The effect is small where there is anything to know (61 wins of 100 are 77.3 Elo instead of
// 77.7), and it decides where there is not: 100 wins of 100 are 1027 Elo, 1000 of 1000 are 1436. Only differences count in
// it, so that any player can be the anchor.
//
// # The intervals
//
// Intervals and likelihoods of superiority are by the Bayesian bootstrap (Rubin, Annals of Statistics 9, 1981) over opening
// pairs: in each of many fits, every pair of every match is given a random weight from the exponential distribution, the same
// for all games of the pair, because they share the luck of their opening. The prior's half games get a weight from the gamma
// distribution with shape 1/2, as pseudo-samples do in the posterior bootstrap of Fong, Lyddon and Holmes (ICML 2019). With
// whole numbers for weights, as in Efron's bootstrap, each fit of a clean sweep would be the same clean sweep, and the
// interval would be a point; with these, won and lost share as in the interval of Jeffreys, on whose good coverage see Brown,
// Cai and DasGupta (Statistical Science 16, 2001).
//
// An interval reaches from the 2.5th to the 97.5th percentile of the fits, and a likelihood of superiority is the share of
// the fits in which a player is above another. They are of differences to the anchor, whose own interval is a point.
package rating

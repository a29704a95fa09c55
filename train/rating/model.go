package rating

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// This file is the likelihood of the model, its derivatives, and its maximum.

// The results of a game, as the first player of its match sees it.
const (
	win = iota
	draw
	loss
)

// A match is all games of two players, and their prior. Weights are numbers of games, and need not be whole.
type match struct {
	a, b  int
	games [3][3]float64 // by who moved first (1 + f: b, nobody, a) and result
	prior [2]float64    // virtual games won and lost by a
}

// An objective is the negative logarithm of the posterior density. Its parameters are
//
//	θ of all players but the anchor, whose θ is 0; ln ν; and η, when it is asked for.
type objective struct {
	players int
	anchor  int
	first   bool // η is asked for
	matches []match

	draws [2]float64 // virtual games of equal players: drawn and decided
	moves [2]float64 // virtual games of equal players: won and lost by who moved first
	games float64    // how many there are, for the exactness to ask for
}

// size returns the number of parameters.
func (o *objective) size() int {
	if o.first {
		return o.players + 1
	}
	return o.players
}

// draw returns where ln ν is among the parameters.
func (o *objective) draw() int { return o.players - 1 }

// at returns where a player's θ is among the parameters, -1 for the anchor.
func (o *objective) at(player int) int {
	switch {
	case player == o.anchor:
		return -1
	case player > o.anchor:
		return player - 1
	}
	return player
}

// theta returns a player's θ.
func (o *objective) theta(x []float64, player int) float64 {
	if i := o.at(player); i >= 0 {
		return x[i]
	}
	return 0
}

// eta returns the advantage of moving first.
func (o *objective) eta(x []float64) float64 {
	if o.first {
		return x[o.players]
	}
	return 0
}

// chances returns the chances of the three results at a difference d of strength, and the logarithm of their common divisor.
func chances(d, logNu float64) (p [3]float64, logZ float64) {
	top := max(math.Abs(d)/2, logNu)
	p = [3]float64{math.Exp(d/2 - top), math.Exp(logNu - top), math.Exp(-d/2 - top)}
	z := p[win] + p[draw] + p[loss]
	for i := range p {
		p[i] /= z
	}
	return p, top + math.Log(z)
}

// logistic returns 1/(1+e^-d) and its logarithm.
func logistic(d float64) (p, log float64) {
	log = min(d, 0) - math.Log1p(math.Exp(-math.Abs(d)))
	return math.Exp(log), log
}

// value returns the objective at x.
func (o *objective) value(x []float64) float64 {
	logNu, eta := x[o.draw()], o.eta(x)
	sum := 0.0
	for i := range o.matches {
		m := &o.matches[i]
		d := o.theta(x, m.a) - o.theta(x, m.b)
		for f, games := range m.games {
			n := games[win] + games[draw] + games[loss]
			if n == 0 {
				continue
			}
			by := d + float64(f-1)*eta
			_, logZ := chances(by, logNu)
			sum += (games[win]-games[loss])*by/2 + games[draw]*logNu - n*logZ
		}
		sum += logLikelihood(d, m.prior)
	}
	sum += logLikelihood(logNu-math.Ln2, o.draws)
	if o.first {
		sum += logLikelihood(eta, o.moves)
	}
	return -sum
}

// logLikelihood returns the logarithm of the likelihood of virtual games that are won with the chance 1/(1+e^-d).
func logLikelihood(d float64, games [2]float64) float64 {
	_, won := logistic(d)
	_, lost := logistic(-d)
	return games[0]*won + games[1]*lost
}

// gradient writes the first derivatives at x into g.
func (o *objective) gradient(g, x []float64) {
	clear(g)
	logNu, eta := x[o.draw()], o.eta(x)
	add := func(i int, slope float64) {
		if i >= 0 {
			g[i] -= slope
		}
	}
	for i := range o.matches {
		m := &o.matches[i]
		d := o.theta(x, m.a) - o.theta(x, m.b)
		slope := virtualSlope(d, m.prior)
		for f, games := range m.games {
			n := games[win] + games[draw] + games[loss]
			if n == 0 {
				continue
			}
			sign := float64(f - 1)
			p, _ := chances(d+sign*eta, logNu)
			s := (games[win] - games[loss] - n*(p[win]-p[loss])) / 2
			slope += s
			add(o.draw(), games[draw]-n*p[draw])
			if o.first {
				add(o.players, sign*s)
			}
		}
		add(o.at(m.a), slope)
		add(o.at(m.b), -slope)
	}
	add(o.draw(), virtualSlope(logNu-math.Ln2, o.draws))
	if o.first {
		add(o.players, virtualSlope(eta, o.moves))
	}
}

// virtualSlope returns the derivative of logLikelihood.
func virtualSlope(d float64, games [2]float64) float64 {
	p, _ := logistic(d)
	return games[0] - (games[0]+games[1])*p
}

// hessian writes the second derivatives at x into h. With the sufficient statistics of a game, (wins - losses)/2 and draws, it
// is their covariance.
func (o *objective) hessian(h *mat.SymDense, x []float64) {
	h.Zero()
	logNu, eta := x[o.draw()], o.eta(x)
	add := func(i, j int, curve float64) {
		if i >= 0 && j >= 0 {
			h.SetSym(i, j, h.At(i, j)+curve)
		}
	}
	for i := range o.matches {
		m := &o.matches[i]
		a, b := o.at(m.a), o.at(m.b)
		d := o.theta(x, m.a) - o.theta(x, m.b)
		curve := virtualCurve(d, m.prior)
		for f, games := range m.games {
			n := games[win] + games[draw] + games[loss]
			if n == 0 {
				continue
			}
			sign := float64(f - 1)
			p, _ := chances(d+sign*eta, logNu)
			balance := p[win] - p[loss]
			dd := n * (p[win] + p[loss] - balance*balance) / 4
			dn := -n * balance * p[draw] / 2
			curve += dd
			add(a, o.draw(), dn)
			add(b, o.draw(), -dn)
			add(o.draw(), o.draw(), n*p[draw]*(1-p[draw]))
			if o.first {
				add(a, o.players, sign*dd)
				add(b, o.players, -sign*dd)
				add(o.draw(), o.players, sign*dn)
				add(o.players, o.players, sign*sign*dd)
			}
		}
		add(a, a, curve)
		add(b, b, curve)
		add(a, b, -curve)
	}
	add(o.draw(), o.draw(), virtualCurve(logNu-math.Ln2, o.draws))
	if o.first {
		add(o.players, o.players, virtualCurve(eta, o.moves))
	}
}

// virtualCurve returns the second derivative of logLikelihood, its sign turned.
func virtualCurve(d float64, games [2]float64) float64 {
	p, _ := logistic(d)
	return (games[0] + games[1]) * p * (1 - p)
}

// How flat the objective is to be, in games: smallSlope is what the search aims at. A line search can fail at the optimum of
// many games itself, where steps no longer change the objective's last digits; there goodSlope of each game is enough.
const (
	smallSlope = 1e-6
	goodSlope  = 1e-8
)

// maximize returns the parameters that are the most likely, searched from x.
func (o *objective) maximize(x []float64) ([]float64, error) {
	problem := optimize.Problem{Func: o.value, Grad: o.gradient, Hess: o.hessian}
	result, err := optimize.Minimize(problem, x, &optimize.Settings{GradientThreshold: smallSlope}, &optimize.Newton{})
	if result == nil {
		return nil, fmt.Errorf("fitting ratings: %w", err)
	}
	slope, g := 0.0, make([]float64, len(x))
	o.gradient(g, result.X)
	for _, s := range g {
		slope = max(slope, math.Abs(s))
	}
	if enough := smallSlope + goodSlope*o.games; !(slope <= enough) {
		return nil, fmt.Errorf("fitting ratings: the search ended at a slope of %g, expected at most %g: %w",
			slope, enough, errors.Join(err, errors.New(result.Status.String())))
	}
	return result.X, nil
}

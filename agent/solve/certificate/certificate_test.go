package certificate_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kiothi/agent/solve"
	"kiothi/agent/solve/certificate"
	"kiothi/env/durable"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// proof returns a small certificate, of a game in which the clock counts, and the game.
func proof(t *testing.T) (mancala.Game, *certificate.Certificate) {
	t.Helper()
	g, err := games.Open("kiothi", "mancala-world,start=1x2,no_capture_limit=5")
	if err != nil {
		t.Fatal(err)
	}
	s, err := solve.New(g, solve.Options{Memory: 64})
	if err != nil {
		t.Fatal(err)
	}
	state := g.Start()
	r, err := s.Solve(t.Context(), &state, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Certify(&state, r)
	if err != nil {
		t.Fatal(err)
	}
	return g, c
}

// margin tries everything.
func margin(g mancala.Game, s mancala.State, found map[mancala.State]int) int {
	if s.Over() {
		return mancala.Margin(g, &s, s.Player)
	}
	if m, ok := found[s]; ok {
		return m
	}
	best := -mancala.MaxSeeds - 1
	for _, a := range g.AppendLegal(nil, &s) {
		after := s
		if _, err := g.Play(&after, a); err != nil {
			panic(err)
		}
		m := margin(g, after, found)
		if after.Player != s.Player {
			m = -m
		}
		best = max(best, m)
	}
	found[s] = best
	return best
}

// faults are what may be wrong with a claim.
var faults = map[string]func(*certificate.Claim) bool{ // false where the claim cannot have it
	"a lower bound too high": func(c *certificate.Claim) bool { c.Bound += 2; return !c.AtMost },
	"an upper bound too low": func(c *certificate.Claim) bool { c.Bound -= 2; return c.AtMost },
	"another action":         func(c *certificate.Claim) bool { c.Action++; return !c.AtMost },
	"a later clock":          func(c *certificate.Claim) bool { c.To++; return true },
	"clocks shifted on":      func(c *certificate.Claim) bool { c.From, c.To = c.From+1, c.To+1; return true },
	"an earlier clock":       func(c *certificate.Claim) bool { c.From--; return c.From >= 0 },
	"the other bound":        func(c *certificate.Claim) bool { c.AtMost = !c.AtMost; return true },
	"a seed more": func(c *certificate.Claim) bool {
		c.Position.Rows[0] = c.Position.Rows[0].With(0, c.Position.Rows[0].At(0)+1)
		return true
	},
	"another mark": func(c *certificate.Claim) bool { c.Position.Marks ^= 1; return true },
}

// TestNothingFalseIsAccepted plants faults in a certificate, one at a time. Most make it fall apart; where it holds all the
// same, trying everything shows that each claim is still true.
func TestNothingFalseIsAccepted(t *testing.T) {
	g, c := proof(t)
	if _, err := certificate.Verify(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := map[mancala.State]int{}
	for name, plant := range faults {
		refused, accepted := 0, 0
		for i := 0; i < len(c.Claims); i += 101 {
			bad := *c
			bad.Claims = slices.Clone(c.Claims)
			if !plant(&bad.Claims[i]) {
				continue
			}
			if _, err := certificate.Verify(t.Context(), &bad); err != nil {
				refused++
				continue
			}
			accepted++
			claim := bad.Claims[i]
			for clock := claim.From; clock <= claim.To; clock++ {
				s := claim.Position
				s.Clock = uint16(clock)
				if m := margin(g, s, found); claim.AtMost && m > claim.Bound || !claim.AtMost && m < claim.Bound {
					t.Errorf("%s in claim %d is accepted: %+v, but the margin is %d", name, i, claim, m)
				}
			}
		}
		if refused == 0 || refused < accepted/4 {
			t.Errorf("%s is refused in %d claims and accepted in %d", name, refused, accepted)
		}
	}
}

func TestNoClaimCanBeLeftOut(t *testing.T) {
	_, c := proof(t)
	for i := range c.Claims {
		if i%61 != 0 {
			continue
		}
		less := *c
		less.Claims = slices.Delete(slices.Clone(c.Claims), i, i+1)
		if _, err := certificate.Verify(t.Context(), &less); err == nil {
			t.Errorf("claim %d of %d is missing, and nothing is said", i, len(c.Claims))
		}
	}
}

func TestTheResultHasToBeTheOneThatIsProved(t *testing.T) {
	_, c := proof(t)
	for _, change := range []func(*certificate.Certificate){
		func(c *certificate.Certificate) { c.Low += 2 },
		func(c *certificate.Certificate) { c.High -= 2 },
		func(c *certificate.Certificate) { c.Rules = "mancala-world-eu,start=2x2,no_capture_limit=3" },
		func(c *certificate.Certificate) { c.Rules = "mancala-world,start=1x2,no_capture_limit=4" },
		func(c *certificate.Certificate) { c.Claims = nil },
	} {
		bad := *c
		change(&bad)
		if _, err := certificate.Verify(t.Context(), &bad); err == nil {
			t.Errorf("%s: a margin from %d to %d by %d claims is accepted", bad.Rules, bad.Low, bad.High, len(bad.Claims))
		}
	}
}

func TestACertificateIsKnownByItsBeginning(t *testing.T) {
	_, c := proof(t)
	path := filepath.Join(t.TempDir(), "file")
	if err := durable.WriteFile(path, c.Write); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{string(whole): true, string(whole[:30]): true, "kiothi-certificates": false, "kiothi": false, "": false} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := certificate.IsFile(path); got != want || err != nil {
			t.Errorf("%.30q is a certificate: %v (%v), want %v", text, got, err, want)
		}
	}
	if _, err := certificate.IsFile(path + " not there"); err == nil {
		t.Error("a file that is not there is no error")
	}
}

func TestAFlippedBitIsNoticed(t *testing.T) {
	_, c := proof(t)
	path := filepath.Join(t.TempDir(), "proof")
	if err := durable.WriteFile(path, c.Write); err != nil {
		t.Fatal(err)
	}
	back, err := certificate.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.Claims, c.Claims) || back.Position != c.Position || back.Low != c.Low || back.High != c.High {
		t.Error("it reads back as something else")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := certificate.Header{Game: c.Game, Rules: c.Rules, Position: c.Position, Low: c.Low, High: c.High, Claims: len(c.Claims)}
	if h, err := certificate.ReadHeader(data); err != nil || h != want {
		t.Errorf("the header is %+v, %v; want %+v", h, err, want)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		bad := bytes.Clone(data)
		bit := rng.IntN(8 * len(data))
		bad[bit/8] ^= 1 << (bit % 8)
		if _, err := certificate.Read(bad); err == nil {
			t.Errorf("bit %d of byte %d is not missed", bit%8, bit/8)
		}
	}
	for _, n := range []int{0, 10, 30, len(data) - 1} {
		if _, err := certificate.Read(data[:n]); err == nil {
			t.Errorf("cut after %d bytes, and nothing is said", n)
		}
	}
}

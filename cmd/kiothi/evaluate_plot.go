package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kiothi/env/mancala"
	"kiothi/train/plot"
	"kiothi/train/rating"
)

// This file is the pictures of evaluate: the ratings with their intervals, and who beats whom.

// isPicture reports whether a path of --plot is that of a picture, and not of a folder.
func isPicture(path string) bool {
	return slices.Contains(plot.Endings, strings.ToLower(filepath.Ext(path)))
}

// makePictureFolder makes the folder of --plot if it is one.
func makePictureFolder(path string) error {
	if path == "" || isPicture(path) {
		return nil
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return fmt.Errorf("making the folder %s: %w", path, err)
	}
	return nil
}

// pictureFiles returns what is written for --plot: into a folder both pictures in all formats; beside a file with the ratings,
// one with the matches.
func pictureFiles(path string) []wantedFile {
	if path == "" {
		return nil
	}
	ending := filepath.Ext(path)
	base := strings.TrimSuffix(path, ending)
	endings, ratings, matches := []string{ending}, base, base+"-matches"
	if !isPicture(path) {
		endings, ratings, matches = plot.Endings, filepath.Join(path, "ratings"), filepath.Join(path, "matches")
	}
	var files []wantedFile
	for _, ending := range endings {
		encode := func(w io.Writer, p *plot.Picture, err error) error {
			switch {
			case err != nil:
				return err
			case strings.EqualFold(ending, ".svg"):
				return p.EncodeSVG(w)
			}
			return p.EncodePNG(w)
		}
		files = append(files,
			wantedFile{"plot", ratings + ending, func(w io.Writer, _ mancala.Game, r *report) error {
				p, err := r.plotRatings()
				return encode(w, p, err)
			}},
			wantedFile{"plot", matches + ending, func(w io.Writer, _ mancala.Game, r *report) error {
				p, err := r.plotMatches()
				return encode(w, p, err)
			}})
	}
	return files
}

// title is what stands above the pictures.
func (r *report) title(what string) string {
	t := r.table
	return fmt.Sprintf("%s, %s %s, %d games", what, t.Game, t.Rules, t.Games)
}

// plotRatings draws the ratings.
func (r *report) plotRatings() (*plot.Picture, error) {
	if r.table.Ratings == nil {
		return nil, fmt.Errorf("no ratings to draw: %w", r.unrated)
	}
	var names []string
	var elo []rating.Estimate
	for _, i := range r.agents() {
		names, elo = append(names, r.table.Standings[i].Agent), append(elo, r.table.Ratings.Elo[i])
	}
	return plot.Ratings(r.title("Elo"), names, elo)
}

// plotMatches draws the cross table.
func (r *report) plotMatches() (*plot.Picture, error) {
	var names []string
	var scores [][]float64
	order := r.agents()
	for _, i := range order {
		names = append(names, r.table.Standings[i].Agent)
		row := make([]float64, 0, len(order))
		for _, j := range order {
			score, ok := r.table.Against(i, j)
			if !ok {
				score = math.NaN()
			}
			row = append(row, score)
		}
		scores = append(scores, row)
	}
	return plot.CrossTable(r.title("Scores"), names, scores)
}

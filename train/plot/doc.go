// Package plot draws what training and matches have shown: curves of runs, ratings with their intervals, and tables of who
// beats whom, as PNG and SVG. The same data give the same bytes.
//
// It stands on the drawing layer of gonum.org/v1/plot (vg) and lays its axes out itself: that package's own plots bring two
// more file formats and twelve fonts along, six megabytes of every program that imports them, and load the fonts when it
// starts. Here are two fonts, loaded with the first picture.
//
// Colours are those of Okabe and Ito, which the colour-blind can tell apart, and a run has a marker of its own as well.
package plot

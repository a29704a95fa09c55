// Package nnue is a small network that judges the positions in which to sow, cheap enough for every leaf of an alpha-beta
// search: the first layer is the sum of a dozen rows of tables, and all arithmetic is in integers, so that assembly and
// plain Go, on whatever processor, give the same bits.
//
// The name and the idea come from Yu Nasu's evaluation for shogi (Efficiently Updatable Neural-Network-based Evaluation
// Functions for Computer Shogi, 2018). There the first layer's sums are updated from move to move. A relay sowing changes
// half of the board, so that here they are summed anew at each position, and the tables are made larger instead: one row
// stands for a whole column of the board, a pit and the enemy's pit that faces it.
//
// The layers, with the shapes of Float's fields:
//
//	sum    = the rows of Tables that Layout.Index names, added up                 [hidden]
//	hidden = clip(sum, 0, 127/128)                                                [hidden]
//	dense  = clip(hidden · DenseWeights + DenseBias, 0, 2047/128)                 [dense], of the position's bucket
//	logit  = dense · OutputWeights + OutputBias                                   of the position's bucket
//
// The logit is that of the expected result of the game (1 a win, ½ a draw, 0 a loss) for the player to move.
package nnue

package main

import (
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"kiothi/cmd/kiothi/internal/api"
	"kiothi/cmd/kiothi/internal/page"
	"kiothi/env/webserver"
)

// This file is the command serve.

func newServe(a *app) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Play in a browser",
		Long: `Serves a page to play on: a board for both games, against another person at the
same screen or against the agents, which think in the browser itself. Rules, players
and all else are in the program; nothing is loaded from anywhere else.

Other programs ask the same server in JSON: positions, legal moves, what an agent
would play and what it thinks. /api/v1/openapi.json describes it.

The page is seen on this machine only. --listen :8080 shows it to all networks that
the machine is in. Ctrl-C ends it.

kiothi export --web DIR writes the same page into a folder, for a web host.`,
		Example: `  kiothi serve
  kiothi serve --listen localhost:0`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			handler, err := a.serving()
			if err != nil {
				return err
			}
			server, err := webserver.Listen(listen)
			if err != nil {
				return fmt.Errorf("--listen: %w", err)
			}
			fmt.Fprintf(a.out, "the page to play on is at %s\n", server.URL())
			if server.Open() {
				fmt.Fprintln(a.out, "  other machines can see it, too")
			}
			ctx, stop := interruptible(cmd.Context(), a.err)
			defer stop()
			return server.Serve(ctx, webserver.Guard(server.Host(), webserver.OwnWithWebAssembly, handler))
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "localhost:8080", "address to serve at, HOST:PORT; without a host all interfaces of the machine, port 0 for a free one")
	return cmd
}

// serving returns the handler of all that serve answers: the page to play on, and the interface in JSON.
func (a *app) serving() (http.Handler, error) {
	files, err := page.Read()
	if err != nil {
		return nil, err
	}
	handlers, err := files.Handlers()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for pattern, handler := range handlers {
		mux.Handle(pattern, handler)
	}
	mux.Handle("/api/", api.New(a.kinds, api.Options{}))
	return mux, nil
}

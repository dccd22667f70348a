// Checks a history of one key with Porcupine against a rolling window, and says how long that took: porcupine LIMIT WINDOW_MS < HISTORY.
// The history has a line a request, in the order of sending: when it was sent and answered, in µs, and 1 where it was admitted.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"github.com/anishathalye/porcupine"
)

// A request, and the moments at which the service can have decided it.
type request struct {
	low, high int64
	admitted  bool
}

// Porcupine knows of an order only, and a window is about moments. So a state holds the least moment at which each request of
// the last window can have been decided, given the order so far: all that is asked of moments are least distances between two
// of them, so that the least ones show whether there are any.
type decided struct {
	request
	least int64
}

type window struct {
	limit      int
	lengthUs   int64
	slackShare float64
}

// The shortest and the longest that a place is held, by a clock that is a little faster or slower.
func (w window) shortest() int64 { return int64(float64(w.lengthUs)*(1-w.slackShare)) - 1000 }
func (w window) longest() int64  { return int64(float64(w.lengthUs)*(1+w.slackShare)) + 1000 }

func (w window) step(state, input, output interface{}) (bool, interface{}) {
	before, next := state.([]decided), input.(request)
	list := make([]decided, len(before), len(before)+1)
	copy(list, before)
	list = append(list, decided{next, next.low})
	last := len(list) - 1
	admitted := make([]int, 0, len(list))
	// Raises the least moments until each distance is kept, or one comes after its answer.
	for changed := true; changed; {
		changed, admitted = false, admitted[:0]
		raise := func(at int, to int64) {
			if list[at].least < to {
				list[at].least, changed = to, true
			}
		}
		for at := range list {
			// The admitted request that leaves its place to this one.
			holder := -1
			if len(admitted) >= w.limit {
				holder = admitted[len(admitted)-w.limit]
			}
			if at > 0 && list[at].least < list[at-1].least {
				list[at].least = list[at-1].least
			}
			if list[at].admitted && holder >= 0 && list[at].least < list[holder].least+w.shortest() {
				list[at].least = list[holder].least + w.shortest()
			}
			// The holder of one that was refused earlier may be gone from the list: then it was looked at before.
			if !list[at].admitted && holder < 0 && at == last {
				return false, nil
			}
			if !list[at].admitted && holder >= 0 {
				raise(holder, list[at].least-w.longest())
			}
			if list[at].least > list[at].high {
				return false, nil
			}
			if list[at].admitted {
				admitted = append(admitted, at)
			}
		}
	}
	if len(admitted) >= w.limit {
		list = list[admitted[len(admitted)-w.limit]:]
	}
	return true, list
}

func equal(left, right interface{}) bool {
	ours, theirs := left.([]decided), right.([]decided)
	if len(ours) != len(theirs) {
		return false
	}
	for at := range ours {
		if ours[at] != theirs[at] {
			return false
		}
	}
	return true
}

func main() {
	limit, _ := strconv.Atoi(os.Args[1])
	windowMs, _ := strconv.ParseInt(os.Args[2], 10, 64)
	rolling := window{limit: limit, lengthUs: windowMs * 1000, slackShare: 0.0004}
	history := []porcupine.Operation{}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var low, high int64
		var admitted int
		fmt.Sscan(lines.Text(), &low, &high, &admitted)
		history = append(history, porcupine.Operation{Input: request{low, high, admitted == 1}, Call: low, Return: high})
	}
	model := porcupine.Model{
		Init:  func() interface{} { return []decided{} },
		Step:  rolling.step,
		Equal: equal,
	}
	// A first search makes the process as large as the second one needs it.
	porcupine.CheckOperations(model, history)
	began := cpuSeconds()
	ok := porcupine.CheckOperations(model, history)
	fmt.Printf("{\"isOk\":%v,\"cpuSeconds\":%f,\"peakMegabytes\":%f}\n", ok, cpuSeconds()-began, peakMegabytes())
}

func usage() syscall.Rusage {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return used
}

func cpuSeconds() float64 {
	used := usage()
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}

func peakMegabytes() float64 { return float64(usage().Maxrss) / 1000 }

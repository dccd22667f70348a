// Command operator-jobs reads a manifest as strictly as an API server can, and prints as JSON what k6-operator's own code
// makes of it, in the order of its Reconcile (internal/controller/testrun_controller.go). From this folder:
//
//	go run . SERVICE-IP... < run.yaml
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/grafana/k6-operator/api/v1alpha1"
	"github.com/grafana/k6-operator/pkg/resources/jobs"
	k6types "github.com/grafana/k6-operator/pkg/types"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

type runner struct {
	Job     *batchv1.Job    `json:"job"`
	Service *corev1.Service `json:"service"`
}

type testRun struct {
	Name string `json:"name"`
	// Null where the manifest says that none is needed.
	Initializer *batchv1.Job `json:"initializer"`
	Runners     []runner     `json:"runners"`
	Starter     *batchv1.Job `json:"starter"`
}

type made struct {
	ConfigMaps []corev1.ConfigMap `json:"configMaps"`
	TestRuns   []testRun          `json:"testRuns"`
}

func main() {
	made, err := read(os.Stdin, os.Args[1:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(made)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(manifests io.Reader, hostnames []string) (made made, err error) {
	documents := utilyaml.NewYAMLReader(bufio.NewReader(manifests))
	for {
		text, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return made, nil
		}
		if err != nil {
			return made, err
		}
		var kind metav1.TypeMeta
		if err := yaml.Unmarshal(text, &kind); err != nil {
			return made, err
		}
		switch kind {
		case metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}:
			var configMap corev1.ConfigMap
			if err := yaml.UnmarshalStrict(text, &configMap); err != nil {
				return made, err
			}
			made.ConfigMaps = append(made.ConfigMaps, configMap)
		case metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "TestRun"}:
			var k6 v1alpha1.TestRun
			if err := yaml.UnmarshalStrict(text, &k6); err != nil {
				return made, err
			}
			run, err := reconcile(&k6, hostnames)
			if err != nil {
				return made, fmt.Errorf("TestRun %s: %w", k6.Name, err)
			}
			made.TestRuns = append(made.TestRuns, run)
		default:
			return made, fmt.Errorf("an object that the operator does not know: %+v", kind)
		}
	}
}

func reconcile(k6 *v1alpha1.TestRun, hostnames []string) (run testRun, err error) {
	if warnings, err := k6.Spec.Validate(); err != nil || len(warnings) > 0 {
		return run, fmt.Errorf("%v %s", err, strings.Join(warnings, "; "))
	}
	v1alpha1.Initialize(k6)
	run.Name = k6.Name
	if cli, _ := k6types.ParseCLI(k6.Spec.Arguments); cli.HasCloudOut || !k6.IsInitializerDisabled() {
		if run.Initializer, err = jobs.NewInitializerJob(k6, cli.ArchiveArgs); err != nil {
			return run, err
		}
	}
	for index := 1; index <= int(k6.Spec.Parallelism); index++ {
		job, err := jobs.NewRunnerJob(k6, index, nil)
		if err != nil {
			return run, err
		}
		service, err := jobs.NewRunnerService(k6, index)
		if err != nil {
			return run, err
		}
		// What an API server asks of the names that the operator makes: a service's, and a job's as label of its pod.
		problems := apivalidation.NameIsDNS1035Label(service.Name, false)
		problems = append(problems, validation.IsValidLabelValue(job.Name)...)
		if len(problems) > 0 {
			return run, fmt.Errorf("%s: %s", service.Name, strings.Join(problems, "; "))
		}
		run.Runners = append(run.Runners, runner{job, service})
	}
	run.Starter = jobs.NewStarterJob(k6, hostnames)
	return run, nil
}

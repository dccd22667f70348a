/**
 * What Kubernetes makes of the value of a variable: $(NAME) becomes the variable's value where there is one, $$ becomes
 * $, and everything else stays (https://kubernetes.io/docs/reference/generated/kubernetes-api, EnvVar.value).
 */
export function expanded(value: string, variables: Readonly<Record<string, string>>): string {
  return value.replace(/\$\$|\$\(([^)]*)\)/g, (found, name: string | undefined) => {
    if (found === '$$') return '$';
    return variables[name ?? ''] ?? found;
  });
}

{{- define "modelgate.selector" -}}
app.kubernetes.io/name: modelgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "modelgate.labels" -}}
{{ include "modelgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

module messaging-conformance/receiver

go 1.21

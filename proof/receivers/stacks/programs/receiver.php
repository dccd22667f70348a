<?php
// A receiver of webhooks in PHP: VARIANT=<right|parsed|unsigned> php -S 127.0.0.1:<port> receiver.php
$raw = file_get_contents('php://input');
$given = $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? null;
$variant = getenv('VARIANT');
$signed = $variant === 'parsed' ? json_encode(json_decode($raw, true)) : $raw;
$right = 'sha256=' . hash_hmac('sha256', $signed, getenv('HOOK'));
$isTaken = ($variant === 'unsigned' && $given === null) || hash_equals($right, (string) $given);
http_response_code($isTaken ? 200 : 401);
